/** Writes the colours of the palette as a style sheet, and the shapes of our icons from Lucide: `npm run design`. */
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { ICON_NAMES } from '../src/lib/design/icon-names.ts'
import { formatColours } from '../src/lib/design/palette.ts'

const DESIGN = join(import.meta.dirname, '../src/lib/design')

function formatShapes(): string {
  const lines = Object.entries(ICON_NAMES).map(
    ([name, drawing]) => `  ${/-/.test(name) ? `'${name}'` : name}: '${shapeOf(drawing)}',`,
  )
  return `/** Drawings of Lucide (https://lucide.dev, ISC License). Written by tools/design.ts. */
export const ICON_SHAPES = {
${lines.join('\n')}
} as const
`
}

type IconNode = Array<[tag: string, attributes: Record<string, string | number>]>
const drawings = createRequire(import.meta.url)('lucide') as Record<string, IconNode>

function shapeOf(drawing: string): string {
  return (drawings[drawing] ?? [])
    .map(([tag, attributes]) => {
      const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${value}"`)
      return `<${tag}${written.join('')}/>`
    })
    .join('')
}

writeFileSync(join(DESIGN, 'colours.css'), formatColours())
writeFileSync(join(DESIGN, 'icon-shapes.ts'), formatShapes())
