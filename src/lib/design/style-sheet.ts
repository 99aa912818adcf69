import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const IMPORT = /^@import "(?<path>\.[^"]+)";$/gm

/** Returns the text of a style sheet of ours, with the text of those that it imports in their order. */
export function readStyleSheet(path: string): string {
  return readFileSync(path, 'utf8').replaceAll(IMPORT, (_line, imported: string) =>
    readStyleSheet(join(dirname(path), imported)),
  )
}
