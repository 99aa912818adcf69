import { markdownTable } from '../../../rig/statistics.ts'
import { NO_USE, type Use } from './meter.ts'

/** The units, in the order of the table. */
export const UNITS = {
  resolution: { label: 'read a new site and answer' },
  charge: { label: 'a known answer, new to the account' },
  lookup: { label: 'a known answer, asked again' },
  search: { label: 'a search by name' },
  watch: { label: 'watch a company' },
  signal: { label: 'a signal into five feeds' },
  delivery: { label: 'deliver it to a webhook' },
} as const

export type UnitName = keyof typeof UNITS
export type UnitCosts = Record<UnitName, Use>

const COLUMNS: ReadonlyArray<{ figure: keyof Use; heading: string; digits: number }> = [
  { figure: 'apiCpuMs', heading: 'API CPU, ms', digits: 2 },
  { figure: 'workerCpuMs', heading: 'worker CPU, ms', digits: 2 },
  { figure: 'databaseCpuMs', heading: 'PostgreSQL CPU, ms', digits: 2 },
  { figure: 'rows', heading: 'rows', digits: 1 },
  { figure: 'bytes', heading: 'stored bytes', digits: 0 },
  { figure: 'walBytes', heading: 'WAL, bytes', digits: 0 },
  { figure: 'webRequests', heading: 'web requests', digits: 1 },
  { figure: 'webBytes', heading: 'received from the web, bytes', digits: 0 },
]

export function renderUnits(costs: UnitCosts): string {
  const rows = Object.entries(UNITS).map(([name, { label }]) => [
    label,
    ...COLUMNS.map(({ figure, digits }) => format(costs[name as UnitName][figure], digits)),
  ])
  return markdownTable(['One of these', ...COLUMNS.map(({ heading }) => heading)], rows)
}

/** Returns the figures of a table that `renderUnits` wrote. */
export function parseUnits(table: string): UnitCosts {
  const cellsByLabel = new Map(
    table
      .split('\n')
      .map((line) => line.split('|').map((cell) => cell.trim()))
      .map(([, label = '', ...cells]) => [label, cells]),
  )
  return Object.fromEntries(
    Object.entries(UNITS).map(([name, { label }]) => {
      const cells = cellsByLabel.get(label)
      if (!cells) throw new Error(`the table says nothing of "${label}"`)
      const use = { ...NO_USE }
      for (const [column, { figure }] of COLUMNS.entries()) use[figure] = Number(cells[column]?.replaceAll(',', ''))
      return [name, use]
    }),
  ) as UnitCosts
}

function format(value: number, digits: number): string {
  return value.toLocaleString('en-GB', { maximumFractionDigits: digits })
}
