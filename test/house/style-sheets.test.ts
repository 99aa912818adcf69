/** Style sheets belong to components: each class has one file, and only the base of the design names elements. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { listFiles, ROOT } from '../../tools/house/sources.ts'

const BASE = new Set(['src/lib/design/base.css', 'src/lib/design/colours.css', 'src/lib/design/measures.css'])
const files = listFiles('src/*.css', 'console/*.css').filter((file) => !BASE.has(file))
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

/** The selectors of the rules at the top level, also of those in a condition such as `@media`. */
function listSelectors(text: string): string[] {
  const selectors: string[] = []
  let depth = 0
  let conditions = 0
  let begun = ''
  for (const part of text.replaceAll(/\/\*[\s\S]*?\*\//g, '').split(/([{}])/)) {
    if (part === '{') {
      const head = begun.split(';').at(-1)?.trim() ?? ''
      if (depth === conditions) {
        if (/^@(?:media|supports|container)/.test(head)) conditions += 1
        else if (!head.startsWith('@')) selectors.push(...head.split(/,(?![^(]*\))/).map((one) => one.trim()))
      }
      depth += 1
    }
    if (part === '}') {
      depth -= 1
      conditions = Math.min(conditions, depth)
    }
    begun = part
  }
  return selectors
}

const firstClass = (selector: string) => /^\.([\w-]+)/.exec(selector)?.[1]

/** Files in which a rule begins with something else than a class, or with a class of another file. */
function findStrays(sheets: ReadonlyArray<{ file: string; text: string }>): string[] {
  const owners = new Map<string, string>()
  return sheets.flatMap(({ file, text }) =>
    listSelectors(text).flatMap((selector) => {
      const name = firstClass(selector)
      if (name === undefined) return [`${file}: ${selector} begins with no class`]
      const owner = owners.get(name) ?? file
      owners.set(name, owner)
      return owner === file ? [] : [`${file}: ${selector} is of ${owner}`]
    }),
  )
}

describe('style sheets', () => {
  test('every rule begins with a class that no other file has', () => {
    expect(files.length).toBeGreaterThan(20)
    expect(findStrays(files.map((file) => ({ file, text: read(file) })))).toEqual([])
  })

  test('the rule sees what it should', () => {
    const sheets = [
      { file: 'a.css', text: '.a { .b { color: red } } @media (width > 1px) { .a > p { color: red } }' },
      {
        file: 'b.css',
        text: '@import "x.css"; .a .b { color: red } p { color: red } @media print { h1 { color: red } }',
      },
    ]
    expect(findStrays(sheets)).toEqual([
      'b.css: .a .b is of a.css',
      'b.css: p begins with no class',
      'b.css: h1 begins with no class',
    ])
  })

  test('no colour is written beside the palette', () => {
    const written = files.filter((file) => /#[0-9a-f]{3,8}\b|\brgb\(/i.test(read(file).replaceAll(/url\([^)]*\)/g, '')))
    expect(written).toEqual([])
  })
})
