/** The quotes of a second reader against the files of the sites, by code of its own. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Parser } from 'htmlparser2'
import type { Db } from '../../../src/lib/db/db.ts'

export interface StoredReading {
  domain: string
  outcome: string
  companyNumber: string | null
  companyName: string | null
  decision: string
  quote: string | null
  /** The page with it, which may be of a site that the domain leads to. */
  url: string | null
}

export async function listReadings(db: Db): Promise<StoredReading[]> {
  return db.query<StoredReading>(
    `select r.domain, r.outcome, r.company_number as "companyNumber", company.name as "companyName",
       r.findings->'secondReading'->>'decision' as decision, r.findings->'secondReading'->>'quote' as quote,
       r.findings->'secondReading'->>'url' as url
     from known_domain known join resolution r on r.id = known.resolution_id
     left join company on company.number = r.company_number
     where r.findings->'secondReading' <> 'null'::jsonb`,
  )
}

const HIDDEN =
  /<(\w+)[^>]*(?:\shidden\b|display:\s*none)[^>]*>[\s\S]*?<\/\1>|<!--[\s\S]*?-->|<(script|style)[\s\S]*?<\/\2>/gi

function textOf(html: string): string {
  const words: string[] = []
  const parser = new Parser({
    ontext: (text) => words.push(text),
    onopentag: (_, { alt = '', 'aria-label': label = '', title = '' }) => words.push(alt, label, title),
  })
  parser.end(html.replaceAll(HIDDEN, ' '))
  return words.join('')
}

/** Only plain letters and digits count: files have tags between the words, and are written in several encodings. */
const letters = (text: string): string =>
  text
    .normalize('NFKC')
    .replaceAll(/[^a-z0-9]/gi, '')
    .toLowerCase()

/** Returns the readings whose words are in no file of the site, or do not name the company that they match. */
export function listWrongQuotes(folder: string, readings: readonly StoredReading[]): string[] {
  return readings.flatMap(({ domain, decision, quote, url, companyName, companyNumber }) => {
    if (quote === null) return decision === 'confirm' ? [] : [`${domain} has no quote`]
    const host = URL.parse(url ?? '')?.hostname ?? ''
    const sites = [host, host.replace(/^www\./, '')]
      .map((one) => join(folder, 'sites', one))
      .filter((one) => existsSync(one))
    const texts = sites.flatMap((one) =>
      readdirSync(one, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.html'))
        .map((file) => letters(textOf(readFileSync(join(one, file), 'utf8')))),
    )
    if (!texts.some((text) => text.includes(letters(quote)))) return [`${domain}: “${quote.slice(0, 80)}”`]
    const name = letters(companyName ?? '').replace(/(limited|ltd|llp|plc|cic)$/, '')
    const isNamed =
      letters(quote).includes(name) || letters(quote).includes((companyNumber ?? '').replace(/^0+/, '').toLowerCase())
    return decision === 'match' && !isNamed ? [`${domain} does not name ${companyName}`] : []
  })
}
