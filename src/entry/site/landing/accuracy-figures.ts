import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The first run on a set of sites that the rules had not seen, as docs/accuracy.md has it. */
export interface FirstRun {
  world: string
  sites: string
  wrongMatches: string
  precision: string
  recall: string
}

const DOCUMENT = join(import.meta.dirname, '../../../../docs/accuracy.md')
const HEADING = '## On sites that the rules had not seen'

/** Returns the rows of the document, newest first. */
export function readFirstRuns(text = readFileSync(DOCUMENT, 'utf8')): FirstRun[] {
  const section = text.slice(text.indexOf(HEADING) + HEADING.length).split('\n## ')[0] ?? ''
  const rows = section.split('\n').filter((line) => line.startsWith('| 2'))
  return rows.map((row) => {
    const [, world = '', sites = '', wrongMatches = '', precision = '', recall = ''] = row
      .split('|')
      .slice(1)
      .map((cell) => cell.trim())
    return { world, sites, wrongMatches, precision: withoutInterval(precision), recall: withoutInterval(recall) }
  })
}

const withoutInterval = (figure: string) => figure.replace(/ \(.*\)$/, '')
