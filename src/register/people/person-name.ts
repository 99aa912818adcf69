/** Names of people as the register writes them, and whether two records may mean the same person. */
import { type LooseRecord, toRecord, toText } from '../../lib/text/loose-json.ts'
import { TITLES } from './person-key.ts'

export interface PersonName {
  /** Words in capitals without accents; the first one decides with the surname. */
  forenames: string[]
  /** The words of a surname together: "O'Neil-Ward" is one word here. */
  surname: string
  /** The first forename and the surname as they are written, to search with. */
  written: string
}

/**
 * `same`: every word. `alike`: the first forename and the surname, where one record leaves out or abbreviates the others.
 */
export type NameAgreement = 'same' | 'alike' | 'different'

/** Reads a name in parts, or else as one text: `SMITH, Jo Ann` or `Jo Ann SMITH`. Null without a forename and a surname. */
export function parsePersonName(data: LooseRecord): PersonName | null {
  const elements = toRecord(data['name_elements'])
  const parts = toText(elements['surname']) === null ? data : elements
  const surname = toText(parts['surname'])
  if (surname === null) return parseWrittenName(toText(data['name']) ?? toText(data['title']) ?? '')
  const others = toText(parts['other_forenames']) ?? toText(parts['middle_name']) ?? ''
  return toName(`${toText(parts['forename']) ?? ''} ${others}`, surname)
}

function parseWrittenName(text: string): PersonName | null {
  // Before the surname is chosen: other names come in brackets, behind it.
  const name = withoutBrackets(text)
  const [surname = '', forenames] = name.split(',')
  if (forenames !== undefined) return toName(forenames, surname)
  const words = name.split(/\s+/).filter((word) => word !== '')
  const firstOfSurname = words.findLastIndex((word) => word !== word.toUpperCase()) + 1
  // Without capitals, or with nothing else, the last word is the surname.
  const cut = firstOfSurname > 0 && firstOfSurname < words.length ? firstOfSurname : words.length - 1
  return toName(words.slice(0, cut).join(' '), words.slice(cut).join(' '))
}

function toName(forenames: string, surname: string): PersonName | null {
  const given = toWords(forenames).filter((word) => !TITLES.has(word))
  const family = toWords(surname).join('')
  if (given.length === 0 || family === '') return null
  const first = forenames.split(/\s+/).find((word) => toWords(word).some((each) => !TITLES.has(each))) ?? ''
  return { forenames: given, surname: family, written: `${first} ${withoutBrackets(surname)}`.trim() }
}

/** The register adds other names in brackets: "HENRY (AKA GREGORY)". */
const withoutBrackets = (text: string) =>
  text
    .replaceAll(/\([^)]*\)?/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Returns the words of a name in capitals without accents, and without other names in brackets. */
export function toWords(text: string): string[] {
  const plain = withoutBrackets(text)
    .normalize('NFKD')
    .replaceAll(/[\p{M}'’.]/gu, '')
    .toUpperCase()
  return plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
}

export function compareNames(one: PersonName, other: PersonName): NameAgreement {
  const [first = '', ...rest] = one.forenames
  const [otherFirst = '', ...otherRest] = other.forenames
  if (one.surname !== other.surname || first !== otherFirst) return 'different'
  if (rest.join(' ') === otherRest.join(' ')) return 'same'
  return isShorterForm(rest, otherRest) || isShorterForm(otherRest, rest) ? 'alike' : 'different'
}

/** True if each word, or its first letter, comes in the other list in the same order. */
function isShorterForm(short: readonly string[], long: readonly string[]): boolean {
  let from = 0
  return short.every((word) => {
    const at = long.findIndex(
      (each, index) => index >= from && (each === word || (word.length === 1 && each.startsWith(word))),
    )
    from = at + 1
    return at !== -1
  })
}
