import { randomBytes } from 'node:crypto'
import { SETTING_NAMES } from '../../src/config/settings.ts'
import { ConfigError, loadConfig, type ProcessKind, SECRET_NAMES, SECRETS_OF } from '../../src/config.ts'

/** Lists what the product itself refuses of these settings in production. An unknown name is a typing error. */
export function findSettingProblems(where: string, settings: Record<string, string>, kind: ProcessKind): string[] {
  const unknown = Object.keys(settings).filter((name) => !SETTING_NAMES.includes(name))
  const problems = unknown.map((name) => `${where}: there is no setting ${name}`)
  const foreign = SECRET_NAMES.filter((name) => name in settings && !SECRETS_OF[kind].includes(name))
  problems.push(...foreign.map((name) => `${where}: it is given ${name}, which ${kind} does not use`))
  try {
    if (loadConfig(withOwnKeys(settings), kind).environment !== 'production')
      problems.push(`${where}: this is not production`)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    problems.push(`${where}: ${error.message}`)
  }
  return problems
}

/** The keys of the examples are public, and production refuses them. */
function withOwnKeys(settings: Record<string, string>): Record<string, string> {
  const fresh = () => randomBytes(32).toString('base64')
  const own: Record<string, () => string> = {
    SEALING_KEYS: () => `k1:${fresh()}`,
    HASHING_KEY: fresh,
    METRICS_TOKEN: fresh,
  }
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, own[name]?.() ?? value]))
}
