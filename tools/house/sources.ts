/** The repository's own programs, with what each imports. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

export const ROOT = join(import.meta.dirname, '../..')

export interface Source {
  file: string
  text: string
  lines: number
  imports: Array<{ target: string; spec: string }>
}

/** Returns every file of the checkout that git does not ignore, by the ends of their names. */
export function listFiles(...patterns: string[]): string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate', ...patterns]
  const listed = execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\n').filter(Boolean)
  const deleted = new Set(
    execFileSync('git', ['ls-files', '--deleted'], { cwd: ROOT, encoding: 'utf8' }).split('\n').filter(Boolean),
  )
  return listed.filter((file) => !deleted.has(file))
}

const IMPORTS = [/(?:from|import)\s*\(?\s*'([^']+)'/g, /new URL\(\s*'(\.[^']+\.tsx?)',\s*import\.meta\.url/g]

/** Returns what a program imports, and the programs that it starts as threads: it depends on both. */
export function listImports(text: string): string[] {
  return IMPORTS.flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match[1] ?? ''))
}

export function readSources(): Source[] {
  return listFiles('*.ts', '*.tsx').map((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8')
    const imports = listImports(text).map((spec) => ({
      spec,
      target: spec.startsWith('.') ? normalize(join(dirname(file), spec)) : spec,
    }))
    return { file, text, lines: text.split('\n').length, imports }
  })
}

export const isProduct = ({ file }: Pick<Source, 'file'>): boolean =>
  file.startsWith('src/') && !file.endsWith('.test.ts')

/** Returns each circle of imports once, as the path that leads back to its first file. Imports of types count. */
export function findCycles(sources: readonly Source[]): string[] {
  const graph = new Map(sources.map(({ file, imports }) => [file, imports.map(({ target }) => target)]))
  const cycles: string[] = []
  const done = new Set<string>()
  const visit = (file: string, path: string[]): void => {
    if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(' → '))
    if (done.has(file) || path.includes(file)) return
    for (const target of graph.get(file) ?? []) visit(target, [...path, file])
    done.add(file)
  }
  for (const file of graph.keys()) visit(file, [])
  return cycles
}
