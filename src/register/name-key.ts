/**
 * A company name as search compares it: capitals without accents, `&` and `+` as AND, punctuation gone, legal endings
 * dropped. The importer stores it and the search applies it to what was typed, so both always agree.
 */
export function toNameKey(name: string): string {
  const words = toWords(name)
  while (words.length > 1 && endsWithLegalForm(words)) dropLegalForm(words)
  return words.join(' ')
}

function toWords(name: string): string[] {
  // Almost every name is plain ASCII in capitals already; the slow path is for the rest.
  const plain = PLAIN.test(name) ? name : name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toUpperCase()
  return plain
    .replaceAll('&', ' AND ')
    .replaceAll('+', ' AND ')
    .replaceAll(/['’`´.]/g, '')
    .replaceAll(/[^A-Z0-9]+/g, ' ')
    .trim()
    .split(' ')
}

const PLAIN = /^[A-Z0-9 &+'.,()/-]*$/

/** Longest first; compared from the end of the name. */
const LEGAL_FORMS = [
  ['PUBLIC', 'LIMITED', 'COMPANY'],
  ['COMMUNITY', 'INTEREST', 'COMPANY'],
  ['LIMITED', 'LIABILITY', 'PARTNERSHIP'],
  ['CWMNI', 'CYFYNGEDIG', 'CYHOEDDUS'],
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

function findLegalForm(words: readonly string[]): readonly string[] | undefined {
  return LEGAL_FORMS.find(
    (form) =>
      form.length < words.length && form.every((word, index) => words[words.length - form.length + index] === word),
  )
}

function endsWithLegalForm(words: readonly string[]): boolean {
  return findLegalForm(words) !== undefined
}

function dropLegalForm(words: string[]): void {
  words.length -= findLegalForm(words)?.length ?? 0
}
