/**
 * Returns a company name as search compares it: capitals without accents, `&` and `+` as AND, COMPANY as CO, punctuation gone,
 * a leading THE and legal endings dropped. The importer stores it and the search applies it to what was typed, so both
 * always agree.
 */
export function toNameKey(name: string): string {
  const words = toWords(name)
  while (dropLegalForm(words)) {
    // Some names carry two: ACME LIMITED LLP.
  }
  if (words.length > 1 && words[0] === 'THE') words.shift()
  return words.join(' ')
}

function toWords(name: string): string[] {
  // Almost every name is plain ASCII in capitals already; the slow path is for the rest.
  let plain = PLAIN.test(name) ? name : toPlain(name)
  if (SPECIAL.test(plain)) {
    plain = plain
      .replaceAll(/[&+]/g, ' AND ')
      .replaceAll(/['’‘`´.]/g, '')
      .replaceAll(/[^A-Z0-9]+/g, ' ')
  }
  const words: string[] = []
  for (const word of plain.split(' ')) if (word !== '') words.push(word === 'COMPANY' ? 'CO' : word)
  return words
}

const PLAIN = /^[A-Z0-9 &+'.,()/-]*$/
const SPECIAL = /[^A-Z0-9 ]/

/** Letters that Unicode does not take for a letter with an accent. */
const SPELT_OUT: Record<string, string> = { Æ: 'AE', Œ: 'OE', Ø: 'O', Đ: 'D', Ð: 'D', Ł: 'L', Þ: 'TH' }

function toPlain(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toUpperCase()
    .replaceAll(/[ÆŒØĐÐŁÞ]/g, (letter) => SPELT_OUT[letter] ?? letter)
}

/** Longest first; compared from the end of the name, where COMPANY is CO already. */
const LEGAL_FORMS = [
  ['PUBLIC', 'LIMITED', 'CO'],
  ['COMMUNITY', 'INTEREST', 'CO'],
  ['LIMITED', 'LIABILITY', 'PARTNERSHIP'],
  ['CWMNI', 'CYFYNGEDIG', 'CYHOEDDUS'],
  ['CWMNI', 'BUDDIANT', 'CYMUNEDOL'],
  ['PARTNERIAETH', 'ATEBOLRWYDD', 'CYFYNGEDIG'],
  ['LIMITED', 'PARTNERSHIP'],
  ['LTD'],
  ['LIMITED'],
  ['PLC'],
  ['LLP'],
  ['CIC'],
  ['CYF'],
  ['CYFYNGEDIG'],
  ['CCC'],
  ['PAC'],
  ['LP'],
  ['CIO'],
]
const LAST_WORDS = new Set(LEGAL_FORMS.map((form) => form.at(-1)))

/** Takes one legal ending off, but never the whole name. Returns whether there was one. */
function dropLegalForm(words: string[]): boolean {
  if (!LAST_WORDS.has(words.at(-1))) return false
  const form = LEGAL_FORMS.find(
    ({ length }, index) =>
      length < words.length &&
      LEGAL_FORMS[index]?.every((word, offset) => words[words.length - length + offset] === word),
  )
  words.length -= form?.length ?? 0
  return form !== undefined
}
