/**
 * Does what `kubectl kustomize` does with a folder, for the few fields that ours use: CI has no kubectl. If there is one,
 * the check compares both.
 */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { readYaml, readYamlDocuments } from './repository.ts'

export interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string; namespace?: string; labels?: Record<string, string> }
  data?: Record<string, string>
  stringData?: Record<string, string>
  spec?: Record<string, unknown>
}

interface Kustomization {
  apiVersion: string
  kind: string
  namespace?: string
  resources: string[]
  images?: Array<{ name: string; newName?: string; newTag?: string; digest?: string }>
  patches?: Array<{ target: { kind: string; name: string }; patch: string }>
}

interface PatchStep {
  op: 'replace' | 'add' | 'remove'
  path: string
  value?: unknown
}

const KNOWN = ['apiVersion', 'kind', 'namespace', 'resources', 'images', 'patches']
const WITHOUT_NAMESPACE = ['Namespace']

export function renderKustomization(folder: string): Manifest[] {
  const wanted = readYaml(folder, 'kustomization.yaml') as Kustomization
  const unknown = Object.keys(wanted).filter((field) => !KNOWN.includes(field))
  if (unknown.length > 0) throw new Error(`${folder}: this check does not know ${unknown.join(', ')}`)
  const manifests = wanted.resources.flatMap((name) => {
    const path = join(folder, name)
    return statSync(path).isDirectory() ? renderKustomization(path) : (readYamlDocuments(path) as Manifest[])
  })
  for (const manifest of manifests) {
    if (wanted.namespace && !WITHOUT_NAMESPACE.includes(manifest.kind)) manifest.metadata.namespace = wanted.namespace
  }
  for (const { target, patch } of wanted.patches ?? []) {
    const found = manifests.find(({ kind, metadata }) => kind === target.kind && metadata.name === target.name)
    if (!found) throw new Error(`${folder}: there is no ${target.kind} ${target.name} to patch`)
    for (const step of parse(patch) as PatchStep[]) applyStep(found, step)
  }
  for (const image of wanted.images ?? []) nameImage(manifests, image)
  return manifests
}

/** RFC 6902, as far as it goes here. */
function applyStep(manifest: object, { op, path, value }: PatchStep): void {
  const keys = path.slice(1).split('/')
  const last = keys.pop() ?? ''
  const parent = keys.reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], manifest)
  const holder = parent as Record<string, unknown> | undefined
  if (!holder || (op !== 'add' && !(last in holder))) throw new Error(`there is nothing at ${path}`)
  if (op === 'remove') delete holder[last]
  else holder[last] = value
}

function nameImage(node: unknown, image: NonNullable<Kustomization['images']>[number]): void {
  if (node === null || typeof node !== 'object') return
  const container = node as { image?: unknown; name?: unknown }
  if (container.image === image.name && typeof container.name === 'string') {
    const version = image.digest ? `@${image.digest}` : image.newTag ? `:${image.newTag}` : ''
    container.image = `${image.newName ?? image.name}${version}`
  }
  for (const child of Object.values(node)) nameImage(child, image)
}
