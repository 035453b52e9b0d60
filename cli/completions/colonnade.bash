# Bash completion of colonnade.
_colonnade() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command= word
  # "--format=c" is three words to bash.
  if [[ $current == = ]]; then
    current=
  elif [[ $previous == = ]]; then
    previous=${COMP_WORDS[COMP_CWORD-2]}
  fi
  local all='--help --page-limit --int96-unit --verify-checksums --memory --quiet'
  local select='--columns --row-groups --split --row-ranges --row-numbers --global-row-numbers'
  select+=' --union-by-name --hive-partitioning'
  local format='--format --delimiter --no-header --null --output'
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in schema|meta|head|cat|count|scan) command=$word; break ;; esac
  done
  case $previous in
    -f|--format) COMPREPLY=($(compgen -W 'csv jsonl table' -- "$current")); return ;;
    --hive-partitioning) COMPREPLY=($(compgen -W 'typed text off' -- "$current")); return ;;
    --int96-unit) COMPREPLY=($(compgen -W 's ms us ns' -- "$current")); return ;;
    -c|--columns|--column|--row-groups|--row-group|--split|--row-ranges|--row-numbers|--global-row-numbers|-t|--threads|--batch-rows|-n|--rows|-d|--delimiter|--null|--memory|--page-limit) return ;;
  esac
  if [[ -z $command ]]; then
    COMPREPLY=($(compgen -W 'schema meta head cat count scan help --help --version --memory --quiet' -- "$current"))
    return
  fi
  if [[ $current == -* ]]; then
    local options=$all
    case $command in
      schema) options+=' --json' ;;
      meta) options+=' --row-group --column --json' ;;
      head) options+=" --rows $select $format" ;;
      cat) options+=" --threads --batch-rows $select $format" ;;
      count) options+=' --per-file' ;;
      scan) options+=" --threads --batch-rows --json $select" ;;
    esac
    COMPREPLY=($(compgen -W "$options" -- "$current"))
    return
  fi
  compopt -o filenames 2>/dev/null
  COMPREPLY=($(compgen -f -- "$current"))
}
complete -F _colonnade colonnade
