/** Whether a detail is drawn within another screen, whose address, title and heading are not its own to change. */
import { createContext, useContext } from 'react';

const WithinContext = createContext(false);

export const Within = WithinContext.Provider;
export const useWithin = (): boolean => useContext(WithinContext);
