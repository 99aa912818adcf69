/** The parts of docs/scale.md that follow from the measurement: each between two markers, which are comments. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderAssumptions, renderPlan } from './plan.ts'
import { renderPrices } from './price.ts'
import { parseUnits, renderUnits, type UnitCosts } from './unit-costs.ts'

const PAGE = join(import.meta.dirname, '../../../docs/scale.md')

export function renderScalePage(costs: UnitCosts): void {
  // Rounded as the page shows it, so that a reader of the table can repeat the arithmetic.
  const shown = parseUnits(renderUnits(costs))
  const page = [
    ['units', renderUnits(shown)],
    ['assumptions', renderAssumptions()],
    ['plan', renderPlan(shown)],
    ['prices', renderPrices(shown)],
  ].reduce((text, [part = '', content = '']) => putPart(text, part, content), readScalePage())
  writeFileSync(PAGE, page)
}

export function readScalePage(): string {
  return readFileSync(PAGE, 'utf8')
}

export function findPart(page: string, part: string): string {
  const found = toPattern(part).exec(page)?.[2]
  if (found === undefined) throw new Error(`docs/scale.md has no part ${part}`)
  return found.trim()
}

function putPart(page: string, part: string, content: string): string {
  findPart(page, part)
  return page.replace(
    toPattern(part),
    (_, begin: string, _before: string, end: string) => `${begin}\n${content}\n\n${end}`,
  )
}

function toPattern(part: string): RegExp {
  return new RegExp(`(<!-- ${part}: [^\\n]*-->\\n)([\\s\\S]*?)(<!-- end of ${part} -->)`)
}
