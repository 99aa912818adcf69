import { useState } from 'react'
import { useAccount } from '../../account.ts'

/** Who decided last in this window: whoever decides one decides the next. */
let last: string | null = null

/** The account's e-mail address until somebody writes their own name. */
export function useReviewer() {
  const { data: account } = useAccount()
  const [typed, setTyped] = useState(last)
  const rename = (name: string) => {
    last = name
    setTyped(name)
  }
  return { name: typed ?? account?.email ?? '', rename }
}
