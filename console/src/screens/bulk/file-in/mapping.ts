import type { BulkFile } from '../../../api/bodies.ts'

export type Kind = NonNullable<BulkFile['columns'][number]['holds']>

/** The number of the column that holds each kind. */
export type Mapping = Partial<Record<Kind, number>>

export const KIND_WORDS: Record<Kind, string> = {
  domain: 'Domain',
  email: 'E-mail',
  web_address: 'Web address',
  company_name: 'Company name',
  company_number: 'Company number',
  postcode: 'Postcode',
}

/** The service uses the first of these that a row has. A postcode only helps a name. */
const ORDER: readonly Kind[] = ['company_number', 'domain', 'web_address', 'email', 'company_name']

/** The columns as the service guessed them; where two hold the same, the certain one. */
export function guessOf({ columns }: Pick<BulkFile, 'columns'>): Mapping {
  const mapping: Mapping = {}
  const certainFirst = [...columns.filter(({ sure }) => sure), ...columns.filter(({ sure }) => !sure)]
  for (const { holds, column } of certainFirst) if (holds !== null) mapping[holds] ??= column
  return mapping
}

export function kindOf(mapping: Mapping, column: number): Kind | null {
  return (Object.keys(mapping) as Kind[]).find((kind) => mapping[kind] === column) ?? null
}

/** A column holds one kind, and a kind is in one column: the choice replaces both. */
export function assign(mapping: Mapping, column: number, kind: Kind | null): Mapping {
  const others = (Object.entries(mapping) as Array<[Kind, number]>).filter(
    ([other, at]) => at !== column && other !== kind,
  )
  return { ...Object.fromEntries(others), ...(kind === null ? {} : { [kind]: column }) }
}

export const isUsable = (mapping: Mapping): boolean => ORDER.some((kind) => mapping[kind] !== undefined)

/** `["company number (column “CRN”)", …]`, in the order in which a row uses them. */
export function listUses(mapping: Mapping, nameOf: (column: number) => string): string[] {
  return ORDER.flatMap((kind) => {
    const column = mapping[kind]
    if (column === undefined) return []
    const postcode = kind === 'company_name' ? mapping.postcode : undefined
    const word = kind === 'email' ? 'e-mail' : KIND_WORDS[kind].toLowerCase()
    const beside = postcode === undefined ? '' : ` with postcode (column ${nameOf(postcode)})`
    return [`${word} (column ${nameOf(column)})${beside}`]
  })
}

/** The name of a column in its file: its header, or its letter where it has none. */
export function nameColumn({ columns }: Pick<BulkFile, 'columns'>, column: number): string {
  const name = columns.find((one) => one.column === column)?.name.trim() ?? ''
  if (name === '') return String(column)
  return /^Column [A-Z]{1,3}$/.test(name) ? name.slice('Column '.length) : `“${name}”`
}
