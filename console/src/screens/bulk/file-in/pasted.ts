/** Turns what a person gives into the file that is sent. The service reads it; here only its size and type matter. */

const BYTES_MAX = 25 * 1024 * 1024
const TYPES: Record<string, string> = {
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  txt: 'text/plain',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

/** The end of the names of files that we read, for the browser's own dialog. */
export const ACCEPTED = Object.keys(TYPES)
  .map((ending) => `.${ending}`)
  .join(',')

export interface GivenFile {
  name: string
  body: Blob
}

/** A file that cannot be sent. The message says what to do instead. */
class UnreadableFile extends Error {}

export function takeFile(file: File): GivenFile {
  if (file.size > BYTES_MAX) {
    throw new UnreadableFile(
      `The file is ${showBytes(file.size)}, and we read up to 25 MB. Remove columns you do not need, or split the file.`,
    )
  }
  if (file.size === 0) throw new UnreadableFile('The file is empty. Choose a file with at least one row.')
  const ending = (/\.([^.]+)$/.exec(file.name)?.[1] ?? '').toLowerCase()
  if (ending === 'xls' || ending === 'ods' || ending === 'numbers') {
    throw new UnreadableFile(`We cannot read .${ending} files. Save it as XLSX or CSV and choose that file.`)
  }
  return { name: file.name, body: file.slice(0, file.size, TYPES[ending] ?? 'application/octet-stream') }
}

export function takePasted(text: string): GivenFile {
  const trimmed = text.replaceAll(/^[\r\n]+|[\s]+$/g, '')
  if (trimmed.trim() === '') throw new UnreadableFile('There is nothing to read. Paste at least one row.')
  // The service sees whether one line is a list or the name of one company.
  const type = trimmed.includes('\t') ? 'text/tab-separated-values' : 'text/csv'
  return takeFile(new File([trimmed], '', { type }))
}

export function showBytes(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1_000))} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}
