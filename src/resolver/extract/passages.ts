import type { CrawledPage } from '../crawl/crawl.ts'
import type { Block, Region } from '../page/document.ts'
import { findRegistrable } from '../registrable.ts'
import { type BareNumber, findCompanyNumbers, type NumberMention, type OtherNumber } from './company-numbers.ts'
import { findLegalNames, type LegalName } from './legal-names.ts'
import { findPostcodes, type Postcode } from './postcodes.ts'
import { type Span, splitSentences } from './sentences.ts'
import { toComparableWords, type Word } from './words.ts'

/** A piece of a page that names a company or prints a number: what is quoted as evidence. */
export interface Passage {
  text: string
  region: Region
  headings: string[]
  quoted: boolean
  /** A row of a table or an item of a list, and which. */
  row: number | null
  page: CrawledPage
  /** Every page it stands on, word for word. */
  pages: CrawledPage[]
  sentences: Span[]
  words: Word[]
  numbers: NumberMention[]
  others: OtherNumber[]
  bare: BareNumber[]
  names: LegalName[]
  postcodes: Postcode[]
  /** Parts that link to another site. */
  outbound: Span[]
}

const ROWS = new Set(['tr', 'li', 'dl'])

const TEXT_MAX = 4_000
const JOINED_MAX = 800
const PASSAGES_MAX = 600

/** The passages of all pages; the same words on several pages are one. */
export function findPassages(pages: readonly CrawledPage[]): Passage[] {
  const byText = new Map<string, Passage>()
  for (const page of pages) {
    const { blocks } = page.document
    for (const [place, block] of blocks.entries()) {
      const known = byText.get(block.text)
      if (known) {
        if (!known.pages.includes(page)) known.pages.push(page)
        continue
      }
      if (byText.size >= PASSAGES_MAX) return [...byText.values()]
      if (!HINT.test(block.text)) continue
      const passage = readPassage(page, blocks, place)
      if (passage) byText.set(block.text, passage)
    }
  }
  return [...byText.values()]
}

/** Cheap: without one of these no number, name or postcode can be in the text. */
const HINT =
  /\d{4}|\d \d|limited|ltd|plc|llp|cyf|cic\b|gmbh|inc\b|llc|corp|\bb\.?v\b|\bs\.?[alr]\b|s\.r\.l|s\.l\.|ag\b|\bas\b|\bab\b|pte|pty|©|copyright|z o\.? ?o|oü|aps|a\/s|hrb|kvk|siret/i

function readPassage(page: CrawledPage, blocks: Block[], place: number): Passage | null {
  const block = blocks[place]
  if (!block) return null
  const own = block.text.slice(0, TEXT_MAX)
  const alone = { ...findCompanyNumbers(own), names: findLegalNames(own), postcodes: findPostcodes(own) }
  if (
    alone.companies.length + alone.others.length + alone.bare.length + alone.names.length + alone.postcodes.length ===
    0
  )
    return null
  // A number without a name beside it: the name may stand in the next box of the same row.
  const hasNumber = alone.companies.length + alone.bare.length > 0
  const text = hasNumber && alone.names.length === 0 ? withNeighbours(blocks, place) : own
  const offset = text.indexOf(own)
  const parts =
    text === own ? alone : { ...findCompanyNumbers(text), names: findLegalNames(text), postcodes: findPostcodes(text) }
  return {
    text,
    region: block.region,
    headings: block.headings,
    quoted: block.quoted,
    row: ROWS.has(block.tag) ? block.group : null,
    page,
    pages: [page],
    sentences: splitSentences(text),
    words: toComparableWords(text),
    numbers: parts.companies,
    others: parts.others,
    bare: parts.bare,
    names: parts.names,
    postcodes: parts.postcodes,
    outbound: findOutbound(page, block, offset),
  }
}

/** The block with those beside it in the same box (or, in a footer, around it), as lines. */
function withNeighbours(blocks: Block[], place: number): string {
  const block = blocks[place]
  if (!block) return ''
  const belongs = (other: Block | undefined): other is Block =>
    other !== undefined &&
    (other.group === block.group || (block.region === 'footer' && other.region === 'footer')) &&
    other.text.length <= 300
  const lines = [block.text.slice(0, TEXT_MAX)]
  let length = lines[0]?.length ?? 0
  for (const step of [-1, 1]) {
    for (let away = 1; away <= 3; away += 1) {
      const other = blocks[place + step * away]
      if (!belongs(other) || length + other.text.length > JOINED_MAX) break
      if (step < 0) lines.unshift(other.text)
      else lines.push(other.text)
      length += other.text.length
    }
  }
  return lines.join('\n')
}

function findOutbound(page: CrawledPage, block: Block, offset: number): Span[] {
  const own = findRegistrable(page.url)
  return block.links
    .filter(({ href }) => {
      const domain = findRegistrable(href)
      return domain !== null && domain !== own && !REGISTERS.test(domain)
    })
    .map(({ start, end }) => ({ start: start + offset, end: end + offset }))
}

/** Links to the register itself prove rather than credit. */
const REGISTERS =
  /(?:^|\.)(?:company-information\.service\.gov\.uk|companieshouse\.gov\.uk|service\.gov\.uk|gov\.uk|opencorporates\.com)$/

/** The sentence around a position, with the one before it when it opens with nothing but a label. */
export function sentenceAt(passage: Pick<Passage, 'text' | 'sentences'>, position: number): Span {
  return (
    passage.sentences.find(({ start, end }) => position >= start && position < end) ?? {
      start: 0,
      end: passage.text.length,
    }
  )
}
