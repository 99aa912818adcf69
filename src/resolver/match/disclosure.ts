/** Distinguishes a bare statement of a company's details from a sentence about a company. */
import type { Company } from '../../register/index.ts'
import type { SiteFindings } from '../extract/findings.ts'
import type { Passage } from '../extract/passages.ts'
import { blankSpan, listResidue } from '../extract/pure-disclosure.ts'
import type { Span } from '../extract/sentences.ts'

/** True if there are only the details of a company in the lines of these spans, and nothing above says whose they are. */
export function isPureDisclosure(
  findings: SiteFindings,
  passage: Passage,
  spans: readonly Span[],
  company: Company,
): boolean {
  if (!isBareDisclosure(findings, passage, spans, company)) return false
  const { identity } = findings
  const isClean = (text: string) => listResidue(text, [endOf(text)], company, identity).length === 0
  const heading = passage.region === 'footer' ? '' : (passage.headings.at(-1) ?? '')
  if (heading !== '' && heading.length <= LEAD_MAX && !isClean(heading)) return false
  const lines = splitLines(withoutMenu(passage), spans)
  const first = lines.findIndex(({ inside }) => inside.length > 0)
  // In a passage of several blocks, the line above may be one of them.
  const lead =
    first > 0 ? (lines[first - 1]?.text ?? '') : lines.some(({ text }) => text === passage.lead) ? '' : passage.lead
  return lead === '' || lead.length > LEAD_MAX || isClean(lead)
}

/** The same for the lines alone, whatever is above them. */
export function isBareDisclosure(
  { identity }: SiteFindings,
  passage: Passage,
  spans: readonly Span[],
  company: Company,
): boolean {
  if (passage.quoted || isList(passage)) return false
  const lines = splitLines(withoutMenu(passage), spans)
  return lines.every(({ text, inside }, index) => {
    if (inside.length === 0) return true
    return !INTRODUCES.test(lines[index - 1]?.text ?? '') && listResidue(text, inside, company, identity).length === 0
  })
}

/** Blanks the links to pages of the site: they say nothing about the company. */
const withoutMenu = ({ text, menu }: Passage): string =>
  menu.reduce((rest, { start, end }) => blankSpan(rest, start, end), text)

/** A disclosure has few numbers and names; each costs a reading of the passage. */
const isList = ({ numbers, names }: Passage): boolean => numbers.length > FACTS_MAX || names.length > FACTS_MAX

const FACTS_MAX = 12

/** Splits a text into lines, each with the spans inside it. */
function splitLines(text: string, spans: readonly Span[]): Array<{ text: string; inside: Span[] }> {
  let start = 0
  return text.split('\n').map((line) => {
    const from = start
    start += line.length + 1
    const inside = spans
      .filter((span) => span.start < from + line.length && span.end > from)
      .map((span) => ({ start: Math.max(0, span.start - from), end: Math.min(line.length, span.end - from) }))
    return { text: line, inside }
  })
}

const LEAD_MAX = 40
const INTRODUCES = /(?:\b(?:by|with|from|for|to)|:)\s*$/i
const endOf = (text: string): Span => ({ start: text.length, end: text.length })
