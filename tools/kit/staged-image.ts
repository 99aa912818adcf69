/**
 * The files of the image without a container engine: what the last stage of the Dockerfile copies, put into a folder. It
 * has production's packages and no other, so what starts from there needs no tool of development.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, matchesGlob, relative } from 'node:path'
import { readDockerfile, type Stage } from './dockerfile.ts'
import { REPOSITORY } from './repository.ts'

export function stageImage(folder: string): void {
  const { stages } = readDockerfile()
  const runtime = stages.at(-1)
  if (!runtime) throw new Error('the Dockerfile has no stage')
  // Another user runs it.
  chmodSync(folder, 0o755)
  for (const { from, sources, target } of copiesOf(runtime)) {
    const destination = join(folder, target)
    const builder = stages.find(({ name }) => name === from)
    if (!builder) for (const source of sources) copyAllowed(source, join(destination, sources.length > 1 ? source : ''))
    else if (sources[0]?.endsWith('/node_modules')) installPackages(folder, builder)
    else copyConsole(destination)
  }
}

/** Returns the size of the files in a folder, in megabytes. */
export function sizeMb(folder: string): number {
  const bytes = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
  return Math.round(bytes / 1_048_576)
}

interface Copy {
  from: string | null
  sources: string[]
  target: string
}

function copiesOf({ instructions }: Stage): Copy[] {
  return instructions
    .filter(({ name }) => name === 'COPY')
    .map(({ text }) => {
      const words = text.split(/\s+/)
      const flags = words.filter((word) => word.startsWith('--'))
      const paths = words.filter((word) => !word.startsWith('--'))
      const from = flags.find((flag) => flag.startsWith('--from='))?.slice('--from='.length) ?? null
      return { from, sources: paths.slice(0, -1), target: paths.at(-1) ?? '.' }
    })
}

function copyAllowed(source: string, destination: string): void {
  const lines = readFileSync(join(REPOSITORY, '.dockerignore'), 'utf8').split('\n')
  const patterns = lines.filter((line) => line !== '' && !line.startsWith('#'))
  if (!patterns.includes(`!${source.split('/')[0]}`)) throw new Error(`.dockerignore leaves out ${source}`)
  const refused = patterns.filter((pattern) => pattern !== '*' && !pattern.startsWith('!'))
  const path = join(REPOSITORY, source)
  const isFolder = statSync(path).isDirectory()
  cpSync(path, isFolder ? destination : join(destination, source), {
    recursive: true,
    filter: (file) => !refused.some((pattern) => matchesGlob(relative(REPOSITORY, file), pattern)),
  })
}

/** The command of the Dockerfile's own stage, on the files which that stage copies. */
function installPackages(folder: string, builder: Stage): void {
  for (const { sources } of copiesOf(builder)) for (const source of sources) copyAllowed(source, folder)
  const command = builder.instructions.find(({ name }) => name === 'RUN')?.text ?? ''
  const { status, stderr } = spawnSync(`${command} --prefer-offline`, { cwd: folder, shell: true, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command}: ${stderr}`)
}

function copyConsole(destination: string): void {
  const parts = ['console', 'site']
  const pathOf = (part: string) => join(REPOSITORY, 'dist', part)
  if (!parts.every((part) => existsSync(pathOf(part)))) {
    const { status, stderr } = spawnSync('npm', ['run', 'build'], { cwd: REPOSITORY, encoding: 'utf8' })
    if (status !== 0) throw new Error(`npm run build: ${stderr}`)
  }
  mkdirSync(destination, { recursive: true })
  for (const part of parts) cpSync(pathOf(part), join(destination, part), { recursive: true })
}
