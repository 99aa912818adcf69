/**
 * Text that nearly matches: for every pattern in the reader's own sources, samples of what it matches, so that repeated
 * and cut short they make a careless pattern go back and forth.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Random } from '../../../rig/random.ts'
import { sampleRegex } from './regex-sampler.ts'

const SOURCES = join(import.meta.dirname, '../../../src/resolver')
const FOLDERS = ['extract', 'page', 'match', 'crawl']
const SAMPLES_OF_EACH = 6
const SAMPLE_CHARACTERS_MAX = 200

export function makeBait(seed: number): string[] {
  const random = new Random(seed)
  const samples = listPatterns().flatMap((pattern) =>
    Array.from({ length: SAMPLES_OF_EACH }, () => sampleRegex(random, pattern)),
  )
  return samples.map((text) => text.slice(0, SAMPLE_CHARACTERS_MAX))
}

const LITERAL =
  /(?<=[\s(,:[=!&|?])\/((?:[^/\\\n[*]|\\.|\[(?:[^\]\\\n]|\\.)*\])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])*)\/[gimsuy]*/g

/** Returns every pattern in the reader that repeats something. */
export function listPatterns(): string[] {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(SOURCES, folder))
      .filter((name) => name.endsWith('.ts') && !name.includes('.test.'))
      .map((name) => join(SOURCES, folder, name)),
  )
  const literals = files.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(LITERAL)])
  return [...new Set(literals.map(([, source = '']) => source))].filter((source) => /[*+{?]/.test(source))
}
