import type { Address } from '../../register/index.ts'
import type { SiteIdentity } from './identity.ts'
import type { Span } from './sentences.ts'

/**
 * The words that the law asks of a company's site (the Company, Limited Liability Partnership and Business (Names and Trading
 * Disclosures) Regulations 2015), and those that small print has around them. The list is closed: every other word may say
 * that the company is someone else's.
 */
const STATUTORY_WORDS = new Set(
  `registered registration register reg regd regn incorporated incorporation company companies corporate house number numbers
  no nos nr num crn co in at england english wales welsh scotland scottish northern ireland uk united kingdom great britain
  british and the is are a an of with under its our office offices address private public limited guarantee shares share
  capital liability partnership llp plc ltd cic community interest vat gb tax details detail info information legal name names
  trading disclosures disclosure place part whose as which we has have all rights reserved copyright tel telephone phone
  email e-mail fax mob partners members word term refers means list inspection available privacy policy policies notice
  terms conditions cookies cookie contact home about accessibility statement small print sale postal correspondence main
  principal head id code since est established also top back who your data protection gdpr imprint impressum regulatory
  statutory boring important fine cwmni cofrestredig cofrestrwyd yng nghymru lloegr rhif swyddfa gofrestredig hawlfraint mae
  wedi ei gofrestru`.split(/\s+/),
)

/** Around the name, if the text is long: a disclosure is short. */
const REACH = { before: 200, after: 450 }
const WHOLE_MAX = 700

/** Returns the words of a text that belong neither to a disclosure, nor to the names, the site's names or the address. */
export function listResidue(
  text: string,
  names: readonly Span[],
  { address }: { address: Address },
  { brands }: SiteIdentity,
): string[] {
  const first = Math.min(...names.map(({ start }) => start))
  const [from, to] =
    text.length <= WHOLE_MAX ? [0, text.length] : [Math.max(0, first - REACH.before), first + REACH.after]
  let rest = text
  for (const { start, end } of names) rest = blankSpan(rest, start, end)
  for (const { name } of brands) if (name.length >= 3) rest = blankText(rest, name)
  rest = rest.replaceAll(/limited by (?:guarantee|shares)/gi, (match) => ' '.repeat(match.length))
  const inAddress = new Set(
    Object.values(address).flatMap((line) => (line ?? '').toLowerCase().match(/[\p{L}\p{N}'’]+/gu) ?? []),
  )
  return [...rest.slice(0, to).matchAll(/\p{L}[\p{L}\p{N}'’.-]*/gu)].flatMap((match) => {
    const word = match[0].replace(/[.'’-]+$/, '')
    const lower = word.toLowerCase()
    if (match.index < from || word.length < 2 || STATUTORY_WORDS.has(lower) || inAddress.has(lower)) return []
    // A capital after the name begins an address or a heading; before the name it may say whose it is.
    return match.index > first && /^\p{Lu}/u.test(word) ? [] : [word]
  })
}

export const blankSpan = (text: string, start: number, end: number): string =>
  text.slice(0, start) + ' '.repeat(end - start) + text.slice(end)

function blankText(text: string, words: string): string {
  const [where, what] = [text.toLowerCase(), words.toLowerCase()]
  if (where.length !== text.length) return text
  let result = text
  for (let at = where.indexOf(what); at >= 0; at = where.indexOf(what, at + what.length)) {
    result = blankSpan(result, at, at + what.length)
  }
  return result
}
