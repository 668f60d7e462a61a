import { commandName } from '../../../../cli/import/crontab/command-name';

test.each([
  ['/usr/local/bin/backup.sh --all', 'backup.sh'],
  ['cd /home/newcomer && tar czf /backup/home.tgz .', 'tar'],
  ['cd "/srv/my data"; ./poll.sh', 'poll.sh'],
  ['(cd /srv && exec nice -n 10 ./poll.sh)', 'poll.sh'],
  ['. /etc/profile; PATH=/opt/bin:$PATH report --daily', 'report'],
  ['[ -x /usr/sbin/anacron ] || /usr/sbin/run-parts /etc/cron.daily', 'run-parts'],
  ['sleep 30 && curl https://example.com', 'curl'],
  ['flock -n -w 5 /tmp/poll.lock timeout -k 5 60 sudo -u www-data php /srv/poll.php', 'poll.php'],
  ['env -i LANG=C ionice -c 3 -n 7 nohup python3 -u /srv/jobs/load.py', 'load.py'],
  [`bash -lc 'cd /srv && ./close-day'`, 'close-day'],
  [`sh -c "rsync -a /a /b"`, 'rsync'],
  ['/bin/sh', 'sh'],
  ['constructor', 'constructor'],
  ['cd /srv', undefined],
  ['', undefined],
])('%s is named %s', (line, name) => expect(commandName(line)).toBe(name));
