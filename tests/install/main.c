/* Prints the version through the C ABI. */
#include <colonnade/colonnade.h>
#include <stdio.h>

int main(void) {
  puts(colonnade_version());
  return 0;
}
