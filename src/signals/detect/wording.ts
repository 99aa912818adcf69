import { formatDay } from '../../lib/text/wording.ts'

/** ` on 3 March 2026`, or nothing where the day is not known. */
export function formatOn(date: string | null): string {
  return date === null ? '' : ` on ${formatDay(date)}`
}

/** The register's `voluntary-arrangement` as people write it. */
export function formatTerm(word: string): string {
  return word.replaceAll('-', ' ')
}

/** `SMITH, Jane Anne, Dr` as `Dr Jane Anne SMITH`. A company's name may hold a comma too and is left alone. */
export function formatPerson(name: string, isCorporate: boolean): string {
  if (isCorporate) return name
  const [surname, forenames, title] = name.split(',').map((part) => part.trim())
  return [title, forenames, surname].filter(Boolean).join(' ')
}

export function formatList(items: readonly string[]): string {
  if (items.length < 2) return items[0] ?? ''
  return `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`
}

/** `a director`, `an LLP member` */
export function withArticle(words: string): string {
  return `${/^(?:[aeio]|LLP)/i.test(words) ? 'an' : 'a'} ${words}`
}

/** For the beginning of a sentence. */
export function capitalised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}
