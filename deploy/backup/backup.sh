#!/bin/sh
# Takes a base backup of the whole server while it runs, checks it, and removes backups beyond those to keep.
#   DATABASE_URL=postgresql://… backup.sh /backups [how many to keep, 7 without]
# The user needs the REPLICATION attribute. With archive-wal.sh in place, any moment since the oldest backup can be restored.
# The sealing and hashing keys are not in the database: keep them elsewhere, or nothing sealed can be opened again.
set -eu
if [ $# -lt 1 ] || [ -z "${DATABASE_URL:-}" ]; then
  sed -n '2,5s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
backups=$1 keep=${2:-7}
name=base-$(date -u +%Y%m%dT%H%M%SZ)

mkdir -p "$backups" "$backups/wal"
rm -rf "$backups"/.base-*.part
echo "Taking $name …"
pg_basebackup --dbname="$DATABASE_URL" --pgdata="$backups/.$name.part" --wal-method=stream --checkpoint=fast \
  --manifest-checksums=SHA256
echo 'Checking every file against its checksum …'
pg_verifybackup --quiet "$backups/.$name.part"
mv "$backups/.$name.part" "$backups/$name"
echo "Done: $backups/$name, $(du -sh "$backups/$name" | cut -f1)"

find "$backups" -maxdepth 1 -name 'base-*' | sort -r | tail -n +$((keep + 1)) | while read -r old; do
  rm -rf "$old"
  echo "Removed $old"
done
# Segments older than the oldest backup restore nothing.
oldest=$(find "$backups" -maxdepth 1 -name 'base-*' | sort | head -n 1)
first=$(sed -n 's/^START WAL LOCATION:.*(file \([0-9A-F]*\))$/\1/p' "$oldest/backup_label")
pg_archivecleanup "$backups/wal" "$first"
