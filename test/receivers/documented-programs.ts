/** The programs of docs/webhooks.md, as a reader pastes them. Each begins with its file name and how it is run. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface DocumentedProgram {
  file: string
  /** For a shell. */
  command: string
  text: string
}

export const WEBHOOKS_DOCUMENT = readFileSync(join(import.meta.dirname, '../../docs/webhooks.md'), 'utf8')

export function listProgramsIn(markdown: string): DocumentedProgram[] {
  const blocks = [...markdown.matchAll(/^```\w+\n([\s\S]*?)^```$/gm)].map((match) => match[1] ?? '')
  return blocks.flatMap((text) => {
    const [, file, command] = /^(?:\/\/|#|<\?php \/\/) (\S+) {4}Run: (.+)$/m.exec(text.split('\n', 1)[0] ?? '') ?? []
    return file !== undefined && command !== undefined ? [{ file, command, text }] : []
  })
}

export function getProgram(file: string): DocumentedProgram {
  const program = listProgramsIn(WEBHOOKS_DOCUMENT).find((candidate) => candidate.file === file)
  if (!program) throw new Error(`docs/webhooks.md has no program ${file}`)
  return program
}

/** The same program, but for how old a delivery may be. */
export function withTolerance(program: DocumentedProgram, seconds: number): DocumentedProgram {
  const [head, tail, ...more] = program.text.split(/(?<=tolerance_?seconds ?= ?)300\b/i)
  if (head === undefined || tail === undefined || more.length > 0) {
    throw new Error(`${program.file} does not say once how old a delivery may be`)
  }
  return { ...program, text: `${head}${seconds}${tail}` }
}
