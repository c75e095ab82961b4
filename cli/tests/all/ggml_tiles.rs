//! ggml's multiplication of float matrices, in the builds and with the tiles that ggml selects by numbers of the device: its shared memory, and its
//! sub-groups, and its cooperative matrices. Constants and sizes are those of ggml-vulkan.cpp (`l_warptile`, `m_warptile`,
//! ggml_vk_matmul_shmem_support), without what it tunes for vendors.

use spirv_if::{Condition, Device, Module, Prepared, Settings};

use crate::common::{NEEDS, root};

/// A build of the shader with values of its constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tiles {
    /// M, N and K of the build for cooperative matrices, which also computes in half floats.
    pub matrix: Option<[u32; 3]>,
    /// True for the build that computes in half floats.
    pub is_half: bool,
    /// True for tiles of 128 by 128 numbers; else they are of 64 by 64.
    pub is_large: bool,
    /// Number of work-items that compute together.
    pub warp: u32,
}

/// The sizes of warps that ggml passes: that of sub-groups, from 8 to 64.
const WARPS: [u32; 4] = [8, 16, 32, 64];

/// Cooperative matrices of half floats that are summed in floats: those of NVIDIA and AMD, of Intel, and of Lavapipe.
pub const MATRICES: [[u32; 3]; 3] = [[16, 16, 16], [8, 16, 16], [8, 8, 8]];

impl Tiles {
    /// Returns the variants in the order in which ggml prefers them.
    pub fn all() -> Vec<Tiles> {
        let builds = [(true, true), (true, false), (false, true), (false, false)];
        let of_build =
            |(is_half, is_large)| WARPS.map(|warp| Tiles { matrix: None, is_half, is_large, warp });
        builds.into_iter().flat_map(of_build).collect()
    }

    /// Returns the variants for cooperative matrices, whose memory model is another. ggml takes the first combination that a driver lists; here
    /// the largest comes first.
    pub fn of_matrices() -> Vec<Tiles> {
        let of_build = |(matrix, is_large)| {
            WARPS.map(|warp| Tiles { matrix: Some(matrix), is_half: true, is_large, warp })
        };
        MATRICES.into_iter().flat_map(|matrix| [(matrix, true), (matrix, false)]).flat_map(of_build).collect()
    }

    /// Returns the number of rows and columns of a tile.
    pub fn size(self) -> u32 {
        if self.is_large { 128 } else { 64 }
    }

    /// Returns the values of the specialization constants.
    pub fn constants(self) -> Vec<(u32, u32)> {
        let Tiles { warp, .. } = self;
        let (rows, columns, thread_columns) = if self.is_large { (2 * warp, 64, 4) } else { (warp, 32, 2) };
        let size = self.size();
        // The depth of a tile, 3, is not a constant of these builds: it is 16.
        let ids = [0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11];
        let [m, n, k] = self.matrix.unwrap_or([4, thread_columns, 1]);
        let mut constants: Vec<(u32, u32)> =
            ids.into_iter().zip([128, size, size, rows, columns, 2, m, n, k, warp, 1]).collect();
        // The columns between rows in shared memory, in pairs.
        constants.extend(self.matrix.map(|_| (12, 4)));
        constants
    }

    /// Returns the bytes of shared memory that ggml counts: of both matrices, a tile of 16 columns, and one to avoid conflicts of banks; for
    /// cooperative matrices eight of these, and a place for the sums of each warp.
    fn shared_memory(self) -> u32 {
        let bytes = if self.is_half { 2 } else { 4 };
        let (padding, sums) = match self.matrix {
            None => (1, 0),
            Some([m, n, _]) => (8, m * n / (128 / self.warp) * 4),
        };
        2 * self.size() * (16 + padding) * bytes + sums
    }

    /// Returns the condition of the devices that can use the variant.
    pub fn condition(self) -> Condition {
        let half = match self.matrix {
            Some([m, n, k]) => format!(
                "feature(vulkan:cooperativeMatrixKHR.{m}x{n}x{k}.f16.f16.f32.f32.subgroup) && cap(Float16) && cap(GroupNonUniform) && "
            ),
            None if self.is_half => "cap(Float16) && cap(StorageBuffer16BitAccess) && ".to_owned(),
            None => String::new(),
        };
        let warp = match self.warp {
            8 => "subgroup_size < 16".to_owned(),
            64 => "subgroup_size >= 64".to_owned(),
            warp => format!("subgroup_size >= {warp} && subgroup_size < {}", 2 * warp),
        };
        let text = format!("{half}max_shared_memory >= {} && {warp}", self.shared_memory());
        Condition::parse(&text).unwrap()
    }

    /// Returns the shader without constants.
    pub fn module(self) -> Vec<u32> {
        let name = match self {
            Tiles { matrix: Some(_), .. } => "matmul_cm1",
            Tiles { is_half: true, .. } => "matmul_fp16",
            _ => "matmul_fp32",
        };
        let path = root().join("target/ggml").join(name).with_extension("spv");
        let bytes = std::fs::read(&path).unwrap_or_else(|error| {
            panic!("{NEEDS}{}: {error}; scripts/setup.sh ggml makes it", path.display())
        });
        let module = Module::from_bytes(&bytes).unwrap();
        let set = |settings: Settings, (id, value)| settings.set(id, value);
        let settings = self.constants().into_iter().fold(Settings::new(), set).trim(true);
        let settings = if self.matrix.is_some() { settings.set(13, false) } else { settings };
        let prepared = Prepared::new(&module).unwrap();
        prepared.specialize(&Device::default(), &settings).unwrap().words
    }
}
