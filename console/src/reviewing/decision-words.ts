import type { DecidedBy, Decision } from '../api/bodies.ts'

interface Named {
  company_number: string
  company_name: string
}

/** What was decided: "Accepted ALDER LIMITED (07214938)". Companies that are not among the named stand with their number. */
export function sayDecision(decision: Decision | DecidedBy, named: readonly Named[]): string {
  const { action, company_number: number } = decision
  const company = number === null ? 'none' : nameWithNumber(number, named)
  switch (action) {
    case 'accept':
      return `Accepted ${company}`
    case 'reject':
      return 'None of the candidates'
    case 'reassign':
      return `Named ${company}`
    case 'dispute':
      return number === null ? sayDisputed(decision) : `Disputed the match, and named ${company}`
    case 'withdraw':
      return 'Decision withdrawn'
  }
}

function nameWithNumber(number: string, named: readonly Named[]): string {
  const name = named.find((company) => company.company_number === number)?.company_name
  return name ? `${name} (${number})` : number
}

function sayDisputed(decision: Decision | DecidedBy): string {
  const was = 'previous' in decision ? decision.previous.company_number : null
  return was === null ? 'Disputed the match' : `Disputed that it is ${was}`
}
