import type { OpenedPage } from '../crawl/crawl.ts'
import { findRegistrable } from '../domain/registrable.ts'
import type { Block, Region } from '../page/document.ts'
import { type BareNumber, findCompanyNumbers, type NumberMention, type OtherNumber } from './company-numbers.ts'
import { findLegalNames, type LegalName } from './legal-names.ts'
import { findPostcodes, type Postcode } from './postcodes.ts'
import { type Span, splitSentences } from './sentences.ts'
import { toComparableWords, type Word } from './words.ts'

/** A piece of a page that names a company or prints a number. Evidence is quoted from it. */
export interface Passage {
  text: string
  region: Region
  headings: string[]
  quoted: boolean
  /** A short line right above, which may say whose details follow; empty if there is none. */
  lead: string
  /** The group of the table row or list item; null for other text. */
  row: number | null
  page: OpenedPage
  /** Every page with exactly this text. */
  pages: OpenedPage[]
  sentences: Span[]
  words: Word[]
  numbers: NumberMention[]
  others: OtherNumber[]
  bare: BareNumber[]
  names: LegalName[]
  postcodes: Postcode[]
  /** Offsets of links to other sites. */
  outbound: Span[]
  /** Offsets of links to pages of the site, each between separators: the menu of a footer. */
  menu: Span[]
}

const ROW_TAGS = new Set(['tr', 'li', 'dl'])

const TEXT_MAX = 4_000
const JOINED_TEXT_MAX = 800
const PASSAGES_MAX = 600

/** Returns the passages of all pages; the same text on several pages is one passage. */
export function findPassages(pages: readonly OpenedPage[]): Passage[] {
  const byText = new Map<string, Passage>()
  for (const page of pages) {
    const { blocks } = page.document
    for (const [index, block] of blocks.entries()) {
      const known = byText.get(block.text)
      if (known) {
        if (!known.pages.includes(page)) known.pages.push(page)
        continue
      }
      if (byText.size >= PASSAGES_MAX) return [...byText.values()]
      if (!HINT.test(block.text)) continue
      const passage = readPassage(page, blocks, index)
      if (passage) byText.set(block.text, passage)
    }
  }
  return [...byText.values()]
}

/** A cheap first check: every text with a number, name or postcode matches. */
const HINT =
  /\d{4}|\d[ .,‐‑-]\d|limited|ltd|plc|llp|cyf|cic\b|gmbh|inc\b|llc|corp|\bb\.?v\b|\bs\.?[alr]\b|s\.r\.l|s\.l\.|ag\b|\bas\b|\bab\b|pte|pty|©|copyright|z o\.? ?o|oü|aps|a\/s|hrb|kvk|siret/i

function readPassage(page: OpenedPage, blocks: Block[], index: number): Passage | null {
  const block = blocks[index]
  if (!block) return null
  const blockText = block.text.slice(0, TEXT_MAX)
  const alone = {
    ...findCompanyNumbers(blockText),
    names: findLegalNames(blockText),
    postcodes: findPostcodes(blockText),
  }
  if (
    alone.companies.length + alone.others.length + alone.bare.length + alone.names.length + alone.postcodes.length ===
    0
  )
    return null
  // A number without a name: the name may be in the next block of the same row.
  const hasNumber = alone.companies.length + alone.bare.length > 0
  const text = hasNumber && alone.names.length === 0 ? withNeighbours(blocks, index) : blockText
  const offset = text.indexOf(blockText)
  const parts =
    text === blockText
      ? alone
      : { ...findCompanyNumbers(text), names: findLegalNames(text), postcodes: findPostcodes(text) }
  return {
    text,
    region: block.region,
    headings: block.headings,
    quoted: block.quoted,
    lead: findLead(blocks, index),
    row: ROW_TAGS.has(block.tag) ? block.group : null,
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
    menu: findMenu(page, block, offset),
  }
}

const LEAD_MAX = 40

function findLead(blocks: Block[], index: number): string {
  const previous = blocks[index - 1]
  if (!previous || previous.region !== blocks[index]?.region || previous.text.length > LEAD_MAX) return ''
  return previous.links.length > 0 ? '' : previous.text
}

/** Returns the block with up to three blocks before and after it of the same group (or footer), as lines. */
function withNeighbours(blocks: Block[], index: number): string {
  const block = blocks[index]
  if (!block) return ''
  const belongs = (other: Block | undefined): other is Block =>
    other !== undefined &&
    (other.group === block.group || (block.region === 'footer' && other.region === 'footer')) &&
    other.text.length <= 300
  const lines = [block.text.slice(0, TEXT_MAX)]
  let length = lines[0]?.length ?? 0
  for (const step of [-1, 1]) {
    for (let distance = 1; distance <= 3; distance += 1) {
      const other = blocks[index + step * distance]
      if (!belongs(other) || length + other.text.length > JOINED_TEXT_MAX) break
      if (step < 0) lines.unshift(other.text)
      else lines.push(other.text)
      length += other.text.length
    }
  }
  return lines.join('\n')
}

function findOutbound(page: OpenedPage, block: Block, offset: number): Span[] {
  const own = findRegistrable(page.url)
  return block.links
    .filter(({ href }) => {
      const domain = findRegistrable(href)
      return domain !== null && domain !== own && !REGISTERS.test(domain)
    })
    .map(({ start, end }) => ({ start: start + offset, end: end + offset }))
}

function findMenu(page: OpenedPage, block: Block, offset: number): Span[] {
  const own = findRegistrable(page.url)
  return block.links
    .filter(({ href, start, end }) => {
      const [before, after] = [block.text.slice(0, start).trimEnd().at(-1), block.text.slice(end).trimStart().at(0)]
      return findRegistrable(href) === own && isSeparator(before) && isSeparator(after)
    })
    .map(({ start, end }) => ({ start: start + offset, end: end + offset }))
}

const isSeparator = (character: string | undefined): boolean => character === undefined || /[|·•∙/\n–—]/.test(character)

/** Links to the register support a claim; they do not show that the company is a third party. */
const REGISTERS =
  /(?:^|\.)(?:company-information\.service\.gov\.uk|companieshouse\.gov\.uk|service\.gov\.uk|gov\.uk|opencorporates\.com)$/

/** Returns the sentence around a position; the whole text if there is none. */
export function sentenceAt(passage: Pick<Passage, 'text' | 'sentences'>, position: number): Span {
  return (
    passage.sentences.find(({ start, end }) => position >= start && position < end) ?? {
      start: 0,
      end: passage.text.length,
    }
  )
}
