#!/bin/sh
# PostgreSQL's archive_command: keeps a finished WAL segment. In postgresql.conf:
#   archive_mode = on
#   archive_timeout = 60s
#   archive_command = '/path/to/archive-wal.sh %p %f /backups/wal'
# Answers 0 only when the segment is safely there; PostgreSQL tries again until it is.
set -eu
segment=$1 name=$2 archive=$3

if [ -e "$archive/$name" ]; then
  # After a crash it is handed over again. The same bytes are fine; others would mean two servers with one archive.
  cmp -s "$segment" "$archive/$name"
  exit
fi
cp "$segment" "$archive/.$name.part"
sync "$archive/.$name.part"
mv "$archive/.$name.part" "$archive/$name"
sync "$archive"
