//go:build packages

package packages

import (
	"os"
	"strconv"
	"strings"

	"github.com/stretchr/testify/require"
)

type (
	object = map[string]any
	list   = []any
)

// bundle returns runc's description of the machine. It may do what a machine may, because systemd limits its services itself.
func (m *machine) bundle() object {
	capabilities := m.capabilities()
	volatile := func(path, mode string) object {
		return object{"destination": path, "type": "tmpfs", "source": "tmpfs", "options": list{"nosuid", "nodev", "mode=" + mode}}
	}
	return object{
		"ociVersion": "1.0.2",
		"hostname":   "waft",
		"root":       object{"path": m.root},
		"process": object{
			"args": list{"/lib/systemd/systemd"}, "cwd": "/", "user": object{"uid": 0, "gid": 0},
			"env":          list{"PATH=/usr/sbin:/usr/bin:/sbin:/bin", "container=runc", "DEBIAN_FRONTEND=noninteractive", "LC_ALL=C.UTF-8"},
			"capabilities": object{"bounding": capabilities, "effective": capabilities, "permitted": capabilities},
		},
		"mounts": list{
			object{"destination": "/proc", "type": "proc", "source": "proc"},
			object{"destination": "/dev", "type": "tmpfs", "source": "tmpfs", "options": list{"nosuid", "mode=755"}},
			object{
				"destination": "/dev/pts", "type": "devpts", "source": "devpts",
				"options": list{"nosuid", "noexec", "newinstance", "ptmxmode=0666", "mode=0620", "gid=5"},
			},
			volatile("/dev/shm", "1777"), volatile("/run", "755"), volatile("/tmp", "1777"),
			object{"destination": "/sys", "type": "sysfs", "source": "sysfs", "options": list{"nosuid", "noexec", "nodev", "ro"}},
			object{"destination": "/sys/fs/cgroup", "type": "cgroup", "source": "cgroup", "options": list{"nosuid", "noexec", "nodev", "rw"}},
		},
		"linux": object{
			"namespaces": list{
				object{"type": "pid"}, object{"type": "ipc"}, object{"type": "uts"}, object{"type": "mount"}, object{"type": "cgroup"},
				object{"type": "network"},
			},
			"resources": object{"devices": list{object{"allow": true, "access": "rwm"}}},
		},
	}
}

// capabilities returns the names of the capabilities that the test has.
func (m *machine) capabilities() (names []string) {
	m.t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	require.NoError(m.t, err)
	_, set, _ := strings.Cut(string(status), "CapPrm:")
	set, _, _ = strings.Cut(set, "\n")
	bits, err := strconv.ParseUint(strings.TrimSpace(set), 16, 64)
	require.NoError(m.t, err)
	for i, name := range strings.Fields(capabilityNames) {
		if bits&(1<<i) != 0 {
			names = append(names, "CAP_"+name)
		}
	}
	require.NotEmpty(m.t, names, "user %d has no capabilities; the test needs root", os.Getuid())
	return names
}

// capabilityNames has the capabilities in the order of their numbers.
const capabilityNames = `CHOWN DAC_OVERRIDE DAC_READ_SEARCH FOWNER FSETID KILL SETGID SETUID SETPCAP LINUX_IMMUTABLE NET_BIND_SERVICE
	NET_BROADCAST NET_ADMIN NET_RAW IPC_LOCK IPC_OWNER SYS_MODULE SYS_RAWIO SYS_CHROOT SYS_PTRACE SYS_PACCT SYS_ADMIN SYS_BOOT SYS_NICE
	SYS_RESOURCE SYS_TIME SYS_TTY_CONFIG MKNOD LEASE AUDIT_WRITE AUDIT_CONTROL SETFCAP MAC_OVERRIDE MAC_ADMIN SYSLOG WAKE_ALARM
	BLOCK_SUSPEND AUDIT_READ PERFMON BPF CHECKPOINT_RESTORE`
