/** The chosen columns, kept in this browser. Own columns are known by their header, so that the next file finds them. */
import type { Bulk } from '../../../api/bodies.ts'
import { columnsOf, isShownAtFirst } from './columns.tsx'
import { useKeptChoice } from './kept-choice.ts'

const KEY = 'nameplate-bulk-columns'
const KEPT_MAX = 200

/** Returns which columns are shown, and a function that shows or hides one of them. */
export function useColumnChoice(bulk: Bulk) {
  const { kept, keep } = useKeptChoice(KEY)
  const columns = columnsOf(bulk)
  const nameOf = (id: string, header: unknown) => (id.startsWith('own:') ? `own:${String(header)}` : id)
  const visibility = Object.fromEntries(
    columns.map(({ id = '', header }) => [id, kept[nameOf(id, header)] ?? isShownAtFirst(id, bulk)]),
  )
  const show = (id: string, isShown: boolean) => {
    const name = nameOf(id, columns.find((one) => one.id === id)?.header)
    const others = Object.entries(kept).filter(([other]) => other !== name)
    keep(Object.fromEntries([...others, [name, isShown] as const].slice(-KEPT_MAX)))
  }
  return { visibility, show, reset: () => keep({}) }
}
