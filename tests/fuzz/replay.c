/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gives files to a fuzz target, for compilers without libFuzzer and for the default tests.
 *
 *   fuzz_TARGET PATH...     files, or folders whose files are all taken
 *
 * Exit: 0 all taken, 2 a path cannot be read or there was no file at all.
 */
#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "fuzz.h"

static int files;

static int take_file(const char *path) {
  FILE *f = fopen(path, "rb");
  long size = -1;
  if (f != NULL && fseek(f, 0, SEEK_END) == 0) size = ftell(f);
  if (size < 0 || fseek(f, 0, SEEK_SET) != 0) {
    fprintf(stderr, "%s: %s\n", path, strerror(errno));
    if (f != NULL) fclose(f);
    return 2;
  }
  /* Exactly as long as the file, so that a sanitizer sees reads past its end. */
  uint8_t *data = malloc(size > 0 ? (size_t)size : 1);
  int status = data != NULL && fread(data, 1, (size_t)size, f) == (size_t)size ? 0 : 2;
  fclose(f);
  if (status == 0) {
    (void)LLVMFuzzerTestOneInput(data, (size_t)size);
    files++;
  } else {
    fprintf(stderr, "%s: cannot be read\n", path);
  }
  free(data);
  return status;
}

static int take(const char *path) {
  struct stat st;
  if (stat(path, &st) != 0) {
    fprintf(stderr, "%s: %s\n", path, strerror(errno));
    return 2;
  }
  if (!S_ISDIR(st.st_mode)) return take_file(path);
  DIR *dir = opendir(path);
  if (dir == NULL) {
    fprintf(stderr, "%s: %s\n", path, strerror(errno));
    return 2;
  }
  int status = 0;
  for (struct dirent *e = readdir(dir); e != NULL && status == 0; e = readdir(dir)) {
    char name[4096];
    int n = snprintf(name, sizeof name, "%s/%s", path, e->d_name);
    if (e->d_name[0] == '.' || n < 0 || (size_t)n >= sizeof name) continue;
    status = take(name);
  }
  closedir(dir);
  return status;
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    int status = take(argv[i]);
    if (status != 0) return status;
  }
  printf("%d files\n", files);
  return files > 0 ? 0 : 2;
}
