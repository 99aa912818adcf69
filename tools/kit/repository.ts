import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'

export const REPOSITORY = join(import.meta.dirname, '../..')
export const DEPLOY = join(REPOSITORY, 'deploy')

export function readYaml(...path: string[]): unknown {
  return parse(readFileSync(join(...path), 'utf8'), { merge: true })
}

/** Every document of a file. */
export function readYamlDocuments(path: string): unknown[] {
  return parseAllDocuments(readFileSync(path, 'utf8')).map((document) => {
    const [error] = document.errors
    if (error) throw error
    return document.toJS() as unknown
  })
}
