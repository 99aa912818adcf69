import type { DecidedBy, Decision } from '../api/bodies.ts'

interface Named {
  company_number: string
  company_name: string
}

/** Returns "Accepted ALDER LIMITED (07214938)"; only the number where `named` does not have the company. */
export function describeDecision(decision: Decision | DecidedBy, named: readonly Named[]): string {
  const { action, company_number: number } = decision
  const company = number === null ? 'none' : nameWithNumber(number, named)
  switch (action) {
    case 'accept':
      return `Accepted ${company}`
    case 'reject':
      return 'Rejected all candidates'
    case 'reassign':
      return `Chose ${company}`
    case 'dispute':
      return number === null ? describeDispute(decision) : `Disputed the match and chose ${company}`
    case 'withdraw':
      return 'Decision withdrawn'
  }
}

function nameWithNumber(number: string, named: readonly Named[]): string {
  const name = named.find((company) => company.company_number === number)?.company_name
  return name ? `${name} (${number})` : number
}

function describeDispute(decision: Decision | DecidedBy): string {
  const was = 'previous' in decision ? decision.previous.company_number : null
  return was === null ? 'Disputed the match' : `Disputed the match with ${was}`
}
