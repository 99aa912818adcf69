/** docs/security.md is complete, counts right, and points at what exists. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const FILE = 'docs/security.md'
const text = readFileSync(join(ROOT, FILE), 'utf8')

/** How many requirements each chapter of OWASP ASVS 5.0.0 has at levels 1 and 2, and the ids of level 3 among them. */
const CHAPTERS: ReadonlyArray<{ levels: readonly [number, number]; sections: readonly number[]; third: string }> = [
  { levels: [8, 19], sections: [2, 10, 12, 3, 3], third: '2.10 3.12 5.3' },
  { levels: [4, 7], sections: [3, 3, 5, 2], third: '3.5 4.2' },
  { levels: [8, 11], sections: [1, 3, 5, 8, 8, 1, 5], third: '1.1 2.3 3.5 4.7 4.8 5.6 5.7 5.8 6.1 7.3 7.4 7.5' },
  { levels: [2, 8], sections: [5, 5, 2, 4], third: '1.4 1.5 2.2 2.3 2.4 2.5' },
  { levels: [4, 5], sections: [1, 6, 3, 3], third: '2.4 2.5 2.6 3.3' },
  {
    levels: [13, 22],
    sections: [3, 12, 8, 6, 8, 4, 2, 4],
    third: '3.5 3.6 3.7 3.8 4.5 4.6 5.6 5.7 5.8 6.4 7.1 7.2',
  },
  { levels: [6, 12], sections: [3, 4, 2, 5, 3, 2], third: '5.3' },
  { levels: [4, 3], sections: [4, 4, 3, 2], third: '1.3 1.4 2.4 3.2 3.3 4.2' },
  { levels: [4, 3], sections: [3, 4], third: '' },
  { levels: [5, 24], sections: [2, 3, 5, 16, 5, 2, 3], third: '2.3 3.5 4.12 4.13 4.14 4.15 4.16' },
  { levels: [3, 11], sections: [4, 5, 5, 4, 2, 2, 2], third: '1.3 1.4 2.4 2.5 3.4 3.5 5.2 6.2 7.1 7.2' },
  { levels: [3, 6], sections: [5, 2, 5], third: '1.4 1.5 3.5' },
  { levels: [1, 12], sections: [4, 6, 4, 7], third: '1.2 1.3 1.4 2.6 3.3 3.4 4.6 4.7' },
  { levels: [2, 7], sections: [2, 8, 3], third: '2.5 2.6 2.7 2.8' },
  { levels: [3, 10], sections: [5, 5, 7, 4], third: '1.4 1.5 2.4 2.5 4.1 4.2 4.3 4.4' },
  { levels: [0, 16], sections: [1, 5, 4, 3, 4], third: '5.4' },
  { levels: [0, 7], sections: [2, 8, 2], third: '1.2 2.5 2.6 2.7 2.8' },
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

const STATES = ['met', 'met in part', 'not applicable', 'open'] as const

interface Line {
  id: string
  level: number
  state: string
  answer: string
}

const lines: Line[] = text.split('\n').flatMap((line) => {
  const cells = /^\| (V[\d.]+) \| ([12]) \| (.+?) \| ([a-z ]+) \| (.+) \|$/.exec(line)
  return cells ? [{ id: cells[1] ?? '', level: Number(cells[2]), state: cells[4] ?? '', answer: cells[5] ?? '' }] : []
})

test('every requirement of levels 1 and 2 stands in the table once, in order, with a state and an answer', () => {
  expect(lines.map(({ id }) => id)).toEqual(IDS)
  expect(IDS).toHaveLength(253)
  for (const { id, state, answer } of lines) {
    expect(STATES, id).toContain(state)
    expect(answer.length, id).toBeGreaterThan(5)
  }
})

test('the summary counts what is there', () => {
  const chapterOf = ({ id }: Line) => Number(id.slice(1).split('.')[0])
  const countsOf = (some: readonly Line[]) => [
    ...[1, 2].map((level) => some.filter((line) => line.level === level).length),
    ...STATES.map((state) => some.filter((line) => line.state === state).length),
  ]
  const shown = [...text.matchAll(/^\| (V\d+ [^|]+|all) \| (\d+(?: \| \d+){5}) \|$/gm)].map((match) =>
    (match[2] ?? '').split(' | ').map(Number),
  )
  const chapters = CHAPTERS.map((_, index) => countsOf(lines.filter((line) => chapterOf(line) === index + 1)))
  expect(shown).toEqual([...chapters, countsOf(lines)])
  expect(chapters.map(([first, second]) => [first, second])).toEqual(CHAPTERS.map(({ levels }) => levels))
})

test.each([FILE, 'docs/threat-model.md'])('%s names files that exist and tests that are in them', (file) => {
  const document = readFileSync(join(ROOT, file), 'utf8')
  const missing = [...document.matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)(?: "([^"]+)")?/g)].flatMap(
    ([, link = '', name]) => {
      const path = join(ROOT, dirname(file), link)
      if (!existsSync(path)) return [`${link} does not exist`]
      const isThere = name === undefined || readFileSync(path, 'utf8').includes(`'${name}'`)
      return isThere ? [] : [`${link} has no test '${name}'`]
    },
  )
  expect(missing).toEqual([])
})
