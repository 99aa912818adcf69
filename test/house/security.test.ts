/** docs/security.md is complete, counts right, and points at what exists. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const FILE = 'docs/security.md'
const text = readFileSync(join(ROOT, FILE), 'utf8')

/** How many requirements each section of a chapter of OWASP ASVS 5.0.0 has, and the ids of level 3 among them. */
const CHAPTERS: ReadonlyArray<{ sections: readonly number[]; third: string }> = [
  { sections: [2, 10, 12, 3, 3], third: '2.10 3.12 5.3' },
  { sections: [3, 3, 5, 2], third: '3.5 4.2' },
  { sections: [1, 3, 5, 8, 8, 1, 5], third: '1.1 2.3 3.5 4.7 4.8 5.6 5.7 5.8 6.1 7.3 7.4 7.5' },
  { sections: [5, 5, 2, 4], third: '1.4 1.5 2.2 2.3 2.4 2.5' },
  { sections: [1, 6, 3, 3], third: '2.4 2.5 2.6 3.3' },
  {
    sections: [3, 12, 8, 6, 8, 4, 2, 4],
    third: '3.5 3.6 3.7 3.8 4.5 4.6 5.6 5.7 5.8 6.4 7.1 7.2',
  },
  { sections: [3, 4, 2, 5, 3, 2], third: '5.3' },
  { sections: [4, 4, 3, 2], third: '1.3 1.4 2.4 3.2 3.3 4.2' },
  { sections: [3, 4], third: '' },
  { sections: [2, 3, 5, 16, 5, 2, 3], third: '2.3 3.5 4.12 4.13 4.14 4.15 4.16' },
  { sections: [4, 5, 5, 4, 2, 2, 2], third: '1.3 1.4 2.4 2.5 3.4 3.5 5.2 6.2 7.1 7.2' },
  { sections: [5, 2, 5], third: '1.4 1.5 3.5' },
  { sections: [4, 6, 4, 7], third: '1.2 1.3 1.4 2.6 3.3 3.4 4.6 4.7' },
  { sections: [2, 8, 3], third: '2.5 2.6 2.7 2.8' },
  { sections: [5, 5, 7, 4], third: '1.4 1.5 2.4 2.5 4.1 4.2 4.3 4.4' },
  { sections: [1, 5, 4, 3, 4], third: '5.4' },
  { sections: [2, 8, 2], third: '1.2 2.5 2.6 2.7 2.8' },
]

/** Every id of levels 1 and 2, in order. */
const IDS = CHAPTERS.flatMap(({ sections, third }, chapter) => {
  const left = new Set(third.split(' '))
  return sections.flatMap((count, section) =>
    Array.from({ length: count }, (_, index) => `${section + 1}.${index + 1}`)
      .filter((id) => !left.has(id))
      .map((id) => `V${chapter + 1}.${id}`),
  )
})

interface Line {
  state: string
  ids: string[]
  answer: string
}

/** V1.2.3–5 is every id from V1.2.3 to V1.2.5 of levels 1 and 2. */
function expand(part: string): string[] {
  const [, section = '', from = '', to = from] = /^(V\d+\.\d+)\.(\d+)(?:–(\d+))?$/.exec(part) ?? []
  const isIn = (id: string) => id.startsWith(`${section}.`) && isBetween(Number(id.split('.')[2]), from, to)
  const ids = IDS.filter(isIn)
  return ids.length === 0 ? [`${part} is no requirement`] : ids
}

const isBetween = (value: number, from: string, to: string) => value >= Number(from) && value <= Number(to)

/** The rows that begin with ids. Where a table has no column of states, its heading is the state. */
function readLines(): Line[] {
  let heading = ''
  return text.split('\n').flatMap((line) => {
    heading = /^## (.+)$/.exec(line)?.[1] ?? heading
    const [, first = '', rest = ''] = /^\| (V\d[^|]*) \| (.+) \|$/.exec(line) ?? []
    const [, parts = ''] = /^((?:V\d+\.\d+\.\d+(?:–\d+)?(?:, )?)+)/.exec(first) ?? []
    if (parts === '') return []
    const [, state = heading, answer = ''] = /^(?:(open|in part) \| )?(.+)$/.exec(rest) ?? []
    return [{ state, ids: parts.split(', ').flatMap((part) => expand(part)), answer }]
  })
}

const lines = readLines()

test('every requirement of levels 1 and 2 is on the page once, with a state and an answer', () => {
  expect(IDS).toHaveLength(253)
  expect(lines.flatMap(({ ids }) => ids).sort()).toEqual(IDS.toSorted())
  for (const { ids, state, answer } of lines) {
    expect(['open', 'in part', 'Does not apply', 'Met'], ids.join()).toContain(state)
    expect(answer.length, ids.join()).toBeGreaterThan(5)
  }
})

test('the first paragraph counts what is there', () => {
  const count = (wanted: string) => lines.filter(({ state }) => state === wanted).flatMap(({ ids }) => ids).length
  expect(text.replaceAll(/\s+/g, ' ')).toContain(
    `Of the 253 requirements of levels 1 and 2, ${count('Met')} are met, ${count('in part')} are met in part, ` +
      `${count('open')} are open and ${count('Does not apply')} do not apply.`,
  )
})

test.each([FILE, 'docs/threat-model.md'])('%s names files that exist and tests that are in them', (file) => {
  const document = readFileSync(join(ROOT, file), 'utf8')
  const links = /\]\((?!https?:|#)([^)#]+)[^)]*\)((?:,? "[^"]+")*)/g
  const missing = [...document.matchAll(links)].flatMap(([, link = '', quoted = '']) => {
    const path = join(ROOT, dirname(file), link)
    if (!existsSync(path)) return [`${link} does not exist`]
    const names = [...quoted.matchAll(/"([^"]+)"/g)].map(([, name = '']) => name)
    const source = names.length === 0 ? '' : readFileSync(path, 'utf8')
    return names.filter((name) => !source.includes(`'${name}'`)).map((name) => `${link} has no test '${name}'`)
  })
  expect(missing).toEqual([])
})
