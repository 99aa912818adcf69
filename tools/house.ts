/**
 * `npm run house [-- --json | --words folder | --tables]`: what a reader of this repository has to take in, counted. The
 * files on a path are counted while the service runs, by test/reading-paths.test.ts.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findCycles, GENERATED, isProduct, listFiles, ROOT, readSources } from './house/sources.ts'
import { listForeignUses } from './house/tables.ts'
import { listHouseWords } from './house/words.ts'

const { argv } = process
const wordsOf = argv.indexOf('--words')
if (wordsOf > 0) {
  for (const { file, line, word, instead } of listHouseWords(argv[wordsOf + 1])) {
    console.log(`${file}:${line}: ${word} → ${instead}`)
  }
} else if (argv.includes('--tables')) {
  for (const { file, table, owner, isWrite } of listForeignUses()) {
    console.log(`${file} ${isWrite ? 'writes' : 'reads'} ${table} of ${owner}`)
  }
} else {
  const counts = { ...countHouse(), path_files: countPathFiles() }
  if (argv.includes('--json')) console.log(JSON.stringify(counts))
  else {
    const { path_files: paths, ...others } = counts
    const figures = Object.entries<number>({ ...others, ...paths })
    for (const [name, count] of figures) console.log(`${name.padEnd(24)}${count}`)
  }
}

function countHouse(): Record<string, number> {
  const sources = readSources()
  const product = sources.filter(isProduct)
  const outside = listFiles('*.ts', '*.tsx', '*.py', '*.css', '*.go', '*.php', '*.mjs', '.ci/run').filter(
    (file) => !isProduct({ file }) && !GENERATED.has(file) && !file.startsWith('worlds/'),
  )
  const importers = new Map<string, number>()
  for (const { imports } of sources.filter(({ file }) => file.startsWith('src/'))) {
    for (const target of new Set(imports.map((item) => item.target))) {
      importers.set(target, (importers.get(target) ?? 0) + 1)
    }
  }
  return {
    src_files: product.length,
    src_lines: product.reduce((sum, { lines }) => sum + lines, 0),
    outside_files: outside.length,
    outside_lines: outside.reduce((sum, file) => sum + countLines(file), 0),
    imported_once: product.filter(({ file }) => importers.get(file) === 1).length,
    cycles: findCycles(sources).length,
    house_words: listHouseWords().length,
    foreign_table_reads: listForeignUses(sources).length,
  }
}

function countLines(file: string): number {
  return readFileSync(join(ROOT, file), 'utf8').split('\n').length
}

function countPathFiles(): Record<string, number> {
  const folder = mkdtempSync(join(tmpdir(), 'nameplate-house-'))
  const file = join(folder, 'paths.json')
  try {
    const test = ['vitest', 'run', 'test/reading-paths.test.ts']
    spawnSync('npx', test, { cwd: ROOT, env: { ...process.env, READING_PATHS_FILE: file }, stdio: 'ignore' })
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, number>
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
