import { toDate } from '../../lib/text/loose-json.ts'
import { parseCompanyNumber } from '../company.ts'
import { FactReferences, REFERENCE_TAGS } from './fact-references.ts'
import { FACT_TAGS, type Fact, FactCollector } from './facts.ts'
import { type Period, readPeriods } from './periods.ts'
import { readXmlTags } from './xml-tags.ts'

/** The statements of one filing of accounts. */
export interface Accounts {
  company_number: string
  periods: Period[]
}

/** The largest real documents have about 10 MB, most of it pictures. */
export const DOCUMENT_BYTES_MAX = 20 << 20

/**
 * Reads a filing, iXBRL or plain XBRL, under the name that the register gave its file. Null when it is not accounts, is
 * too large, or does not say of which company; never throws, whatever the bytes are.
 */
export function readAccounts(fileName: string, bytes: Uint8Array): Accounts | null {
  if (bytes.length > DOCUMENT_BYTES_MAX) return null
  const references = new FactReferences()
  const collector = new FactCollector()
  readXmlTags(decode(bytes), {
    wants: (name) => FACT_TAGS.has(name) || REFERENCE_TAGS.has(name),
    open: (name, attributes) => (REFERENCE_TAGS.has(name) ? references : collector).open(name, attributes),
    close: (name) => (REFERENCE_TAGS.has(name) ? references : collector).close(name),
    text(piece) {
      references.text(piece)
      collector.text(piece)
    },
  })
  const facts = collector.collect()
  const named = parseFileName(fileName)
  const number = decideNumber(facts, named.number)
  if (number === null || facts.length === 0) return null
  return { company_number: number, periods: readPeriods(facts, references, named.madeUpTo) }
}

/**
 * The number in the document, else that of the file's name. Where they differ we cannot know whose figures these are: the
 * register made the name, but a filer wrote the document.
 */
function decideNumber(facts: readonly Fact[], named: string | null): string | null {
  const tagged = facts.find(({ concept }) => concept.kind === 'number')?.text
  const stated = tagged === undefined ? null : parseCompanyNumber(tagged.slice(0, 30))
  return stated !== null && named !== null && stated !== named ? null : (stated ?? named)
}

/** `Prod223_3456_00123456_20250331.html`: the run, the company and the day that the accounts are made up to. */
function parseFileName(name: string): { number: string | null; madeUpTo: string | null } {
  const [, number, year, month, day] =
    /(?:^|\/)Prod\d+_\d+_([A-Za-z0-9]{8})_(\d{4})(\d{2})(\d{2})[^/]*$/.exec(name.slice(-200)) ?? []
  return {
    number: number === undefined ? null : parseCompanyNumber(number),
    madeUpTo: toDate(`${year}-${month}-${day}`),
  }
}

/** Digits are the same in all of these; dashes, spaces and the sign of the pound are not. */
function decode(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 200)).toString('latin1')
  const declared = /^\s*<\?xml[^>]*encoding=["'](?:iso-8859-1|windows-1252|us-ascii)["']/i.test(head)
  return new TextDecoder(declared ? 'windows-1252' : 'utf-8').decode(bytes)
}
