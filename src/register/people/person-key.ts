/** How names of one person are recognised as the same: `SMITH, Jane Anne, Dr` and `Dr Jane Anne Smith`. Pure. */

/** A person as a record of the register names them. */
export interface PersonOfCompany {
  companyNumber: string
  name: string
  /** The register never publishes the day. */
  birth: BirthMonth | null
}

export interface BirthMonth {
  year: number
  month: number
}

/** Titles that the register writes before a name, in capitals. */
export const TITLES: ReadonlySet<string> = new Set(
  (
    'MR MRS MISS MS MX MASTER DR DOCTOR PROF PROFESSOR SIR DAME LORD LADY BARON BARONESS REV REVEREND THE RT HON JUDGE ' +
    'CAPTAIN CAPT COLONEL COL MAJOR BRIGADIER GENERAL COMMANDER CLLR COUNCILLOR FATHER FR RABBI CANON'
  ).split(' '),
)
const WORDS_MAX = 20

/**
 * Returns the words of a name without titles, in the order of the alphabet; empty where the name has none. Officers are
 * written `SURNAME, Forenames, Title`, owners `Title Forenames Surname`.
 */
export function toPersonKey(name: string): string {
  const [surname = '', forenames] = name.split(',')
  const words =
    forenames === undefined
      ? withoutTitles(toWords(name), 3)
      : [...toWords(surname), ...withoutTitles(toWords(forenames), 2)]
  return words.slice(0, WORDS_MAX).sort().join(' ')
}

/** Removes titles from the beginning while at least `wordsMin - 1` words stay. */
function withoutTitles(words: readonly string[], wordsMin: number): string[] {
  let from = 0
  while (words.length - from >= wordsMin && TITLES.has(words[from] ?? '')) from += 1
  return words.slice(from)
}

function toWords(text: string): string[] {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toUpperCase()
  return plain.replaceAll(/['’.]/gu, '').match(/[\p{L}\p{N}]+/gu) ?? []
}

/** Returns the texts whose hashes identify a person: the name with the month of birth, and with the company. */
export function toWithheldKeys({ companyNumber, name, birth }: PersonOfCompany): string[] {
  const key = toPersonKey(name)
  if (key === '') return []
  return [keyInCompany(key, companyNumber), ...(birth ? [keyByBirth(key, birth)] : [])]
}

export function keyInCompany(personKey: string, companyNumber: string): string {
  return `${personKey}|${companyNumber}`
}

export function keyByBirth(personKey: string, { year, month }: BirthMonth): string {
  return `${personKey}|${year}-${String(month).padStart(2, '0')}`
}
