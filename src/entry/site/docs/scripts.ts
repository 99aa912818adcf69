/** Scripts to copy into a spreadsheet, written in docs/scripts, with this deployment's own address. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from '../../../app.ts'

const FOLDER = join(import.meta.dirname, '../../../../docs/scripts')

export const SCRIPT_NAMES = ['nameplate.gs', 'nameplate-excel.ts'] as const

export function readScripts({ config }: Pick<App, 'config'>): Map<string, string> {
  return new Map(
    SCRIPT_NAMES.map((name) => [
      name,
      readFileSync(join(FOLDER, name), 'utf8').replaceAll('https://api.example.com', config.baseUrl.origin),
    ]),
  )
}
