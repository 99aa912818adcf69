import { spawnSync } from 'node:child_process'
import { join, relative } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { parseAllDocuments } from 'yaml'
import type { ProcessKind } from '../../src/config.ts'
import { findSchemaProblems } from './kubernetes-schema.ts'
import { type Manifest, renderKustomization } from './kustomize.ts'
import { findSettingProblems } from './production-settings.ts'
import { DEPLOY, REPOSITORY, readYaml } from './repository.ts'
import { findWorkloadProblems, listWorkloads } from './workloads.ts'

const FOLDER = join(DEPLOY, 'kubernetes')

/** The base and the overlays: valid, hardened, and with settings that the product starts with. */
export async function checkKubernetes(): Promise<string[]> {
  const secret = readYaml(FOLDER, 'secret.example.yaml') as Manifest
  const everything = [secret]
  const problems: string[] = []
  for (const name of ['base', 'overlays/production', 'overlays/page-folder']) {
    const folder = join(FOLDER, name)
    const manifests = renderKustomization(folder)
    everything.push(...manifests)
    const found = [
      ...findDifferences(folder, manifests),
      ...findWorkloadProblems(manifests),
      ...findSettings(manifests, secret),
    ]
    problems.push(...found.map((problem) => `${relative(REPOSITORY, folder)}: ${problem}`))
  }
  return [...problems, ...(await findSchemaProblems(everything))]
}

function findSettings(manifests: readonly Manifest[], secret: Manifest): string[] {
  const shared = manifests.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === 'nameplate')?.data
  return listWorkloads(manifests).flatMap(({ name, container }) => {
    const kept = secret.stringData ?? {}
    const own = (container.env ?? []).map((one) => [one.name, one.value ?? kept[one.valueFrom?.secretKeyRef.key ?? '']])
    const settings = { ...shared, ...(Object.fromEntries(own.filter(([, value]) => value)) as Record<string, string>) }
    const whole = (container.envFrom ?? []).filter(({ secretRef }) => secretRef)
    return [
      ...whole.map(() => `${name}: it is given every secret; name those it uses by secretKeyRef`),
      ...findSettingProblems(name, settings, kindOf(container.args ?? [])),
    ]
  })
}

function kindOf(args: readonly string[]): ProcessKind {
  const [word = ''] = args
  if (word === 'serve' || word === 'work' || word === 'follow' || word === 'migrate') return word
  return 'register'
}

/** Between what this check reads and what kubectl makes of the folder, where there is a kubectl. */
function findDifferences(folder: string, manifests: readonly Manifest[]): string[] {
  const { stdout, stderr, status, error } = spawnSync('kubectl', ['kustomize', folder], { encoding: 'utf8' })
  if (error) return []
  if (status !== 0) return [`kubectl kustomize: ${stderr.trim()}`]
  const theirs = parseAllDocuments(stdout).map((document) => document.toJS() as Manifest)
  const nameOf = ({ kind, metadata }: Manifest) => `${kind} ${metadata.name}`
  const missing = theirs.filter((one) => !manifests.some((own) => isDeepStrictEqual(own, one)))
  return [
    ...missing.map((one) => `kubectl reads ${nameOf(one)} otherwise`),
    ...(theirs.length === manifests.length ? [] : [`kubectl finds ${theirs.length}, this check ${manifests.length}`]),
  ]
}
