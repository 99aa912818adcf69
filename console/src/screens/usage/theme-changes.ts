import { useEffect, useState } from 'react'

/** Counts how often the colours of the page have changed, by the person's choice or by the device's. */
export function useThemeChanges(): number {
  const [changes, setChanges] = useState(0)
  useEffect(() => {
    const count = () => setChanges((before) => before + 1)
    const chosen = new MutationObserver(count)
    chosen.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
    const device = matchMedia('(prefers-color-scheme: dark)')
    device.addEventListener('change', count)
    return () => {
      chosen.disconnect()
      device.removeEventListener('change', count)
    }
  }, [])
  return changes
}
