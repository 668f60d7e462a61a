import type { NotificationFormat } from '../../domain/notification';
import type { Message } from '../message';
import { slack } from './slack';
import { teams } from './teams';

/** The body that the target of a notification gets. */
export function bodyOf(message: Message, format: NotificationFormat): unknown {
  switch (format) {
    case 'json':
      return { type: 'quarterjack.notification', version: 1, ...message };
    case 'slack':
      return slack(message);
    case 'teams':
      return teams(message);
  }
}
