import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { validate } from 'dockerfile-utils'
import { REPOSITORY } from './repository.ts'

export interface Instruction {
  /** In capitals. */
  name: string
  /** The rest, lines that go on joined. */
  text: string
}

export interface Stage {
  name: string
  instructions: Instruction[]
}

/** Secret settings: none of them may be in an image. */
const SECRETS = /DATABASE_URL|SMTP_URL|SEALING_KEYS|HASHING_KEY|METRICS_TOKEN|REGISTER_\w+_KEYS?|PASSWORD/

export function readDockerfile(): { text: string; stages: Stage[]; before: Instruction[] } {
  const text = readFileSync(join(REPOSITORY, 'Dockerfile'), 'utf8')
  const lines = text.replaceAll(/^\s*#.*\n/gm, '').replaceAll(/\\\n\s*/g, '')
  const before: Instruction[] = []
  const stages: Stage[] = []
  for (const line of lines.split('\n').filter((one) => one.trim() !== '')) {
    const [, name = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? []
    const instruction = { name: name.toUpperCase(), text: rest }
    if (instruction.name === 'FROM') stages.push({ name: / AS (\w+)/i.exec(rest)?.[1] ?? '', instructions: [] })
    ;(stages.at(-1)?.instructions ?? before).push(instruction)
  }
  return { text, stages, before }
}

/** Lists what the linter finds, and what must be true of our image. */
export function checkDockerfile(): string[] {
  const { text, stages, before } = readDockerfile()
  const linted = validate(text).map(({ message, range }) => `line ${range.start.line + 1}: ${JSON.stringify(message)}`)
  const runtime = stages.at(-1)?.instructions ?? []
  const all = [...before, ...stages.flatMap(({ instructions }) => instructions)]
  const node = readFileSync(join(REPOSITORY, '.nvmrc'), 'utf8').trim()
  const { version } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8')) as { version: string }
  const last = (name: string) => runtime.findLast((instruction) => instruction.name === name)?.text ?? ''
  const rules: Array<[boolean, string]> = [
    [
      before.some(({ text }) => text === `NODE_IMAGE=node:${node}-bookworm-slim`),
      `the base is Node ${node}, as .nvmrc`,
    ],
    [all.filter(({ name }) => name === 'FROM').every(({ text }) => text.startsWith('${NODE_IMAGE} AS ')), 'one base'],
    [/^[1-9]\d*:[1-9]\d*$/.test(last('USER')), 'the user is given by number and is not root'],
    [last('HEALTHCHECK').includes('CMD ["node"'), 'the health check needs nothing but Node'],
    [last('STOPSIGNAL') === 'SIGTERM', 'it is stopped by SIGTERM'],
    [last('ENTRYPOINT') === '["node", "src/main.ts"]', 'Node is process 1, without a shell before it'],
    [last('CMD') === '["serve"]', 'it serves unless told otherwise'],
    [runtime.every(({ name }) => name !== 'RUN'), 'the last stage only copies'],
    [runtime.some(({ text }) => text.startsWith(`VERSION=${version}`)), `it says that it is version ${version}`],
    [all.every(({ name }) => name !== 'ADD'), 'files are copied, not added'],
    [all.every(({ name, text }) => !/^(ENV|ARG)$/.test(name) || !SECRETS.test(text)), 'no secret is set'],
    [
      all.filter(({ text }) => text.startsWith('npm ci')).every(({ text }) => text.includes('--ignore-scripts')),
      'packages run no script while they are installed',
    ],
  ]
  return [...linted, ...rules.filter(([holds]) => !holds).map(([, rule]) => `not so: ${rule}`)]
}
