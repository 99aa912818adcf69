import { createRequire } from 'node:module'

/** The part of highlight.js that we use. Its own types would bring those of a browser into every file. */
interface Highlighter {
  registerLanguage(name: string, language: unknown): void
  getLanguage(name: string): unknown
  highlight(code: string, options: { language: string; ignoreIllegals: boolean }): { value: string }
}

const require = createRequire(import.meta.url)
const highlighter = require('highlight.js/lib/core') as Highlighter

const LANGUAGES = {
  sh: 'bash',
  ts: 'typescript',
  js: 'javascript',
  python: 'python',
  json: 'json',
  go: 'go',
  php: 'php',
  http: 'http',
  yaml: 'yaml',
}
for (const [name, file] of Object.entries(LANGUAGES)) {
  highlighter.registerLanguage(name, require(`highlight.js/lib/languages/${file}`))
}

/** Returns code as markup with a class for each kind of word; null for a language that we do not know. */
export function highlight(code: string, language: string): string | null {
  if (highlighter.getLanguage(language) === undefined) return null
  return highlighter.highlight(code, { language, ignoreIllegals: true }).value
}

const NAMES: Record<string, string> = {
  sh: 'Shell',
  ts: 'TypeScript',
  js: 'JavaScript',
  python: 'Python',
  json: 'JSON',
  go: 'Go',
  php: 'PHP',
  http: 'HTTP',
  yaml: 'YAML',
}

export const nameOfLanguage = (language: string): string => NAMES[language] ?? language
