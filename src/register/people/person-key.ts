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

/** Titles that the register writes with a name, in capitals. */
export const TITLES: ReadonlySet<string> = new Set(
  'MR MRS MISS MS MX MASTER DR PROF PROFESSOR SIR DAME LORD LADY BARON BARONESS REV REVEREND HON'.split(' '),
)
const WORDS_MAX = 20

/** Returns the words of a name without titles, in the order of the alphabet; empty where the name has none. */
export function toPersonKey(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toUpperCase()
  const words = plain.replaceAll(/['’.]/gu, '').match(/[\p{L}\p{N}]+/gu) ?? []
  const kept = words.filter((word) => !TITLES.has(word))
  return (kept.length > 0 ? kept : words).slice(0, WORDS_MAX).sort().join(' ')
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
