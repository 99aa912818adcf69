/** The patterns by which PostgreSQL finds a text in the rows of a bulk job: as a person reads it there, and not as it is stored. */
const STRING = String.raw`"(?:[^"\\]|\\.)*"`

/**
 * The text as `ilike` finds it; as it is written in JSON, as cells are; and a regular expression for its position there: in a text
 * or a number, and not in the name of a member, in a format or in what stores an empty cell. Then the two for the whole
 * number that is shown like this text, or nulls. An expression takes several times as long as `ilike`, which leaves it few rows.
 */
export function toPatterns(text: string): Array<string | null> {
  const source = JSON.stringify(text).slice(1, -1)
  const inText = String.raw`(?:[[,]|"(?:text|href|date|error)":)"(?:[^"\\]|\\.)*${escape(source)}(?:[^"\\]|\\.)*"[],}]`
  const found = /^[-\d.e+]+$/i.test(text) ? `(?:${inText}|${IN_NUMBER}${escape(source)})` : inText
  const number = findStored(text)
  const stored = number === null ? [null, null] : [toLike(number), inCells(`${WHOLE_NUMBER}${escape(number)}(?=[],}])`)]
  return [toLike(text), toLike(source), inCells(found), ...stored]
}

const IN_NUMBER = '(?:[[,]|"number":)[-0-9.e+]*'
const WHOLE_NUMBER = '(?:[[,]|"number":)-?'
const inCells = (found: string) => `^(?:[^"]|${STRING})*${found}`
const escape = (source: string) => source.replaceAll(/[!-/:-@[-^`{-~]/g, '\\$&')

/** A number with what formats put around and between its digits: a currency, groups, zeros in front, decimals. */
const FORMATTED = /^[-(]?[£$€]? ?(?<whole>\d[\d ,()-]*)(?:\.(?<decimals>\d*))? ?(?<sign>[%€])?\)?$/
const FORMATTED_CHARS_MAX = 40

/** Returns the digits as a cell stores a number that is shown like this text; null where they are the text, or it is no number. */
function findStored(text: string): string | null {
  const found = text.length > FORMATTED_CHARS_MAX ? undefined : FORMATTED.exec(text)?.groups
  if (!found) return null
  const { whole = '', decimals = '', sign } = found
  const number = [whole.replaceAll(/\D/g, '').replace(/^0+(?=\d)/, ''), decimals.replace(/0+$/, '')]
    .filter(Boolean)
    .join('.')
  const stored = sign === '%' ? String(Number((Number(number) / 100).toPrecision(15))) : number
  return stored === text ? null : stored
}

function toLike(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
}
