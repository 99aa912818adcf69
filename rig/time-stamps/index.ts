export { type AuthorityMood, SimulatedAuthority } from './authority.ts'
