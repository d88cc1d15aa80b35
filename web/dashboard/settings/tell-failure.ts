import { notifications } from '@mantine/notifications';
import { ApiError } from '../api/client.ts';

/** Says why a press came to nothing, where there is no form to say it in. */
export const tellFailure = (error: unknown) =>
  notifications.show({ color: 'danger', message: error instanceof ApiError ? error.message : String(error) });
